# SPDX-License-Identifier: MPL-2.0
"""Runs an FMU of either version with FMPy, step by step; and what the tests share.

Every test is called as: TEST.py VERSION OSICONVERT FMUS PACKAGES TRACES
VERSION is 2 or 3, FMUS the folder of the .fmu files, PACKAGES the folder of FMPy; exit 77 when it is not there. TRACES
is a folder of real traces, which may be absent.
"""
import ctypes
import pathlib
import struct
import subprocess
import sys
import tempfile

if len(sys.argv) != 6:
    sys.exit(__doc__)
VERSION, OSICONVERT, PACKAGES = int(sys.argv[1]), sys.argv[2], sys.argv[4]
FMUS, TRACES = pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[5])
sys.path.insert(0, PACKAGES)
try:
    import fmpy
    from fmpy import fmi2, fmi3
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

_scratch = tempfile.TemporaryDirectory(prefix="ositrace-fmu-")
SCRATCH = pathlib.Path(_scratch.name)


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def equal(found, expected, what):
    check(found == expected, f"{what}: {found!r:.300}, expected {expected!r:.300}")


def osiconvert(*words, code=0):
    done = subprocess.run([OSICONVERT, *map(str, words)], capture_output=True, text=True)
    check(done.returncode == code,
          f"osiconvert {' '.join(map(str, words))}: exit {done.returncode}, {done.stdout}{done.stderr}")
    return done.stdout


def frames_of(file):
    """The payloads of a length-prefixed file."""
    data, at, frames = pathlib.Path(file).read_bytes(), 0, []
    while at != len(data):
        length, = struct.unpack_from("<I", data, at)
        frames.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return frames


class Package:
    """An unpacked .fmu."""
    _known = {}

    def __init__(self, name):
        self.file = FMUS / f"{name}.fmu"
        self.description = fmpy.read_model_description(str(self.file))
        self.folder = fmpy.extract(str(self.file), unzipdir=str(SCRATCH / name))
        self.variables = {variable.name: variable for variable in self.description.modelVariables}

    @classmethod
    def named(cls, name):
        return cls._known.setdefault(name, None) or cls._known.__setitem__(name, cls(name)) or cls._known[name]


class Fmu:
    """An instance. FMI 2.0 messages pass as raw addresses and sizes, FMI 3.0 ones through getBinary and setBinary."""

    def __init__(self, name, instance_name="one", guid=None):
        self.package = Package.named(name)
        self.log, self._lent, self.ended = [], [], False
        common = dict(guid=guid or self.package.description.guid, unzipDirectory=self.package.folder,
                      instanceName=instance_name, modelIdentifier=self.package.description.coSimulation.modelIdentifier)
        if VERSION == 2:
            self.slave = fmi2.FMU2Slave(**common)
            callbacks = fmi2.fmi2CallbackFunctions()
            callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(
                lambda c, i, status, category, text: self._take_log(status, text.replace(b"%%", b"%")))
            callbacks.allocateMemory = fmi2.defaultCallbacks.allocateMemory
            callbacks.freeMemory = fmi2.defaultCallbacks.freeMemory
            self._callbacks = callbacks
            self.slave.instantiate(callbacks=callbacks)
        else:
            self.slave = fmi3.FMU3Slave(**common)
            self.slave.instantiate(logMessage=lambda e, status, category, text: self._take_log(status, text))

    def _take_log(self, status, text):
        self.log.append(("warning" if status == 1 else "error" if status == 3 else str(status), text.decode()))

    def reference(self, name):
        return self.package.variables[name].valueReference

    def set(self, **values):
        for name, value in values.items():
            kind = {bool: "Boolean", int: "Integer" if VERSION == 2 else "Int32",
                    float: "Real" if VERSION == 2 else "Float64", str: "String"}
            getattr(self.slave, "set" + kind[type(value)])([self.reference(name)], [value])
        return self

    def get_boolean(self, name):
        return bool(self.slave.getBoolean([self.reference(name)])[0])

    def enter(self, time=0.0):
        if VERSION == 2:
            self.slave.setupExperiment(startTime=time)
            self.slave.enterInitializationMode()
        else:
            self.slave.enterInitializationMode(startTime=time)
        return self

    def leave(self):
        self.slave.exitInitializationMode()
        self._take_back()
        return self

    def start(self, time=0.0):
        return self.enter(time).leave()

    def pointer(self, name):
        """FMI 2.0: address and size as they pass."""
        low, high, size = self.slave.getInteger(
            [self.reference(f"{name}.{part}") for part in ("base.lo", "base.hi", "size")])
        return (high & 0xffffffff) << 32 | (low & 0xffffffff), size

    def message(self, name):
        if VERSION == 3:
            return self.slave.getBinary([self.reference(name)])[0] or b""
        address, size = self.pointer(name)
        return ctypes.string_at(address, size) if size else b""

    def put(self, name, message):
        if VERSION == 3:
            if message:
                self.slave.setBinary([self.reference(name)], [message])
            return
        buffer = ctypes.create_string_buffer(message, len(message)) if message else None
        address = ctypes.addressof(buffer) if message else 0
        halves = [ctypes.c_int32(address & 0xffffffff).value, ctypes.c_int32(address >> 32).value, len(message)]
        self.slave.setInteger([self.reference(f"{name}.{part}") for part in ("base.lo", "base.hi", "size")], halves)
        if message:
            self._lent.append(buffer)

    def step(self, time, size):
        self.slave.doStep(currentCommunicationPoint=time, communicationStepSize=size)
        self._take_back()

    def _take_back(self):
        """What was lent is the importer's again behind the step, parameters behind the initialization."""
        for buffer in self._lent:
            ctypes.memset(buffer, 0xee, len(buffer))
        self._lent.clear()

    def terminate(self):
        self.slave.terminate()
        return self

    def reset(self):
        self.slave.reset()
        return self

    def free(self):
        self.slave.freeInstance()

    def close(self):
        self.terminate().free()


def refused(fmu, action, reason):
    """The action fails, and the log has one line about it, which holds `reason`."""
    before = len(fmu.log)
    try:
        action()
    except Exception as error:
        check("status 3" in str(error), f"the status is an error: {error}")
    else:
        sys.exit(f"failed: nothing was refused, expected: {reason}")
    lines = fmu.log[before:]
    check(len(lines) == 1 and lines[0][0] == "error" and reason in lines[0][1] and "\n" not in lines[0][1],
          f"one line with {reason!r}: {lines}")
