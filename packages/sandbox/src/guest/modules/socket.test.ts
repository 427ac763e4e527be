import { expect, test } from "vitest";

import { tryBuiltins } from "../builtins.cases.ts";

const { ran, sameAsNode } = tryBuiltins();

test("sockets are created, extended and destroyed as in Node, with or without TLS", () =>
  sameAsNode([
    `const net = require("net"); const s = new net.Socket(); return [s.connecting, s.pending, s.destroyed, s.writable, s.remoteAddress, s.setTimeout(5) === s, s.setNoDelay() === s, net.Stream === net.Socket, s instanceof require("stream").Duplex];`,
    `const net = require("net"); class Own extends net.Socket {} function Old() { net.Socket.call(this); } require("util").inherits(Old, net.Socket); return [new Own() instanceof net.Socket, new Old() instanceof net.Socket, Own.name, net.Socket() instanceof net.Socket];`,
    `const tls = require("tls"), net = require("net"); const s = new tls.TLSSocket(new (require("stream").PassThrough)()); return [s.encrypted, s.authorized, s instanceof net.Socket, typeof s._handle._parentWrap.constructor, s._handle._parentWrap.constructor.name];`,
    `const { Socket } = require("net"); const s = new Socket(); return await new Promise((resolve) => s.on("close", (bad) => resolve(["closed", bad])).destroy());`,
  ]));

test("errors of unavailable functions name the alternative", async () => {
  const { emitted } = await ran(`
    const { connect, Socket } = require("net"), { spawn } = require("child_process"), tls = require("tls"), http2 = require("http2");
    const errors = [];
    for (const use of [() => connect(1), () => new Socket().connect(1), () => tls.connect(1), () => http2.connect("https://a.test"), () => spawn("ffmpeg")])
      try { use(); } catch ({ code, message }) { errors.push([code, message]); }
    const written = await new Promise((resolve) => new Socket().on("error", ({ message }) => resolve(message)).write("x"));
    return { errors, written };`);
  const sockets = expect.stringMatching(
    /^(?:net|tls|http2)\.[\w.]+ is not available to components: they have no sockets, only requests over HTTP/,
  );
  const code = "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM";
  expect(emitted).toEqual({
    errors: [
      ...[1, 2, 3, 4].map(() => [code, sockets]),
      [code, expect.stringContaining("child_process.spawn is not available to components: they start no programs")],
    ],
    written: sockets,
  });
});

test("undocumented methods of Buffer for single encodings behave as in Node", () =>
  sameAsNode([
    `const b = Buffer.from("aé€"); return ["ascii", "base64", "base64url", "hex", "latin1", "ucs2", "utf8"].map((name) => b[name + "Slice"](1, 4));`,
    `const b = Buffer.alloc(8); return [b.latin1Write("é", 1), b.utf8Write("é", 2), b.hexWrite("ff", 5), b.base64Write("YQ==", 6), b.toString("hex"), Object.keys(Buffer.prototype).includes("latin1Slice")];`,
  ]));

test("Buffer accepts base64url as an encoding everywhere", () =>
  sameAsNode([
    `const b = Buffer.from([255, 239, 190, 1]); return [b.toString("base64url"), b.toString("BASE64URL", 1, 3), Buffer.from("_--_", "base64url").toString("hex"), Buffer.isEncoding("base64url"), Buffer.isEncoding("none"), Buffer.byteLength("_--_AQ", "base64url")];`,
    `const b = Buffer.alloc(6, "_-", "base64url"); b.write("_--_", 1, "base64url"); return [b.toString("hex"), b.indexOf("_--_", 0, "base64url"), b.includes("AQ", "base64url"), b.toString(), String(Buffer.from("é")), Buffer.from("a").toString.name];`,
  ]));

test("the digest of a hash can be read after its use as a stream", () =>
  sameAsNode([
    `const { pipeline } = require("stream/promises"), { createHash } = require("crypto"), { Readable } = require("stream"); const hash = createHash("sha256"); await pipeline(Readable.from(["a", "b"]), hash); return [hash.digest("hex"), hash.read().toString("hex")];`,
    `const hash = require("crypto").createHash("sha1"); hash.end("a"); const [chunk] = await require("events").once(hash, "data"); return chunk.toString("hex");`,
  ]));

test("names of connections equal Node's", () =>
  sameAsNode([
    `return new (require("http").Agent)().getName({ host: "h", port: 1, localAddress: "l", family: 4, socketPath: "/x" });`,
    `return new (require("https").Agent)().getName({ host: "h", port: 1, servername: "s", rejectUnauthorized: false, ca: "c", key: "k", minVersion: "v" });`,
    `return [new (require("https").Agent)().getName({}), new (require("http").Agent)().getName()];`,
  ]));
