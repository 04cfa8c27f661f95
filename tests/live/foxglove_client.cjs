// SPDX-License-Identifier: MPL-2.0
// Foxglove's own client subscribes to all channels of the server at a port, until that ends: prints what it got as JSON.
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { WebSocket } = require("ws");

const got = { serverInfo: null, channels: [], payloads: [], times: [], statuses: [], errors: [] };
const open = (attempt) => {
    const socket = new WebSocket(`ws://127.0.0.1:${process.argv[2]}`, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
    let connected = false;
    socket.on("error", () => {
        if (!connected && attempt < 400) setTimeout(() => open(attempt + 1), 50);
    });
    const client = new FoxgloveClient({ ws: socket });
    client.on("open", () => { connected = true; });
    client.on("serverInfo", (info) => { got.serverInfo = info; });
    client.on("advertise", (channels) => {
        for (const channel of channels) {
            got.channels.push(channel.topic);
            client.subscribe(channel.id);
        }
    });
    client.on("message", (message) => {
        const { byteOffset, byteLength, buffer } = message.data;
        got.payloads.push(Buffer.from(buffer, byteOffset, byteLength).toString("base64"));
    });
    client.on("time", (time) => { got.times.push(Number(time.timestamp)); });
    client.on("status", (status) => { got.statuses.push(status.message); });
    client.on("error", (error) => { if (connected) got.errors.push(String(error)); });
    client.on("close", () => {
        if (!connected) return;
        process.stdout.write(JSON.stringify(got), () => process.exit(0));
    });
};
open(0);
