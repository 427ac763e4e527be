import net from "node:net";
import { PassThrough } from "node:stream";
import tls from "node:tls";

class Line extends net.Socket {}

export default {
  name: "Sockets",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const line = new Line();
    this.$emit([line.connecting, line.destroyed, line instanceof net.Socket, line.setNoDelay() === line]);
    const secure = new tls.TLSSocket(new PassThrough());
    this.$emit([secure.encrypted, secure.authorized, secure instanceof net.Socket]);
    await new Promise((resolve) => line.on("close", resolve).destroy());
    this.$emit([line.destroyed]);
  },
};
