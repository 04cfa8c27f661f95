// SPDX-License-Identifier: MPL-2.0
// Reads every message of an MCAP file in the order of the file, as the documentation of the crate shows it: the file is
// mapped, and the CRC of each chunk is compared. usage: read_mcap FILE
use std::{env, fs, process};

fn read(file: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let mapped = unsafe { memmap2::Mmap::map(&fs::File::open(file)?)? };
    let mut bytes = 0;
    let options = mcap::read::Options::ValidateChunkCrcs;
    for message in mcap::MessageStream::new_with_options(&mapped, options.into())? {
        bytes += message?.data.len() as u64;
    }
    Ok(bytes)
}

fn main() {
    let file = env::args().nth(1).unwrap_or_else(|| {
        eprintln!("usage: read_mcap FILE");
        process::exit(2)
    });
    match read(&file) {
        Ok(bytes) => println!("{bytes}"),
        Err(error) => {
            eprintln!("{file}: {error}");
            process::exit(1)
        }
    }
}
