import { gzipSync } from "node:zlib";

import { beforeEach, test } from "vitest";

import { bytes, echo, loopback } from "../../../../runtime/src/network/loopback.cases.ts";
import type { Trial } from "../../sandbox.cases.ts";
import { tryBuiltins } from "../builtins.cases.ts";

const { sameAsNode } = tryBuiltins();
const { serve, egress } = loopback();

let origin: string;
let trial: Trial;
beforeEach(async () => {
  origin = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://h");
    if (pathname === "/slow") return;
    if (pathname === "/redirect") response.writeHead(302, { location: "/echo" }).end();
    else if (pathname === "/cookies")
      response.writeHead(201, "Made", { "Set-Cookie": ["a=1", "b=2"], "X-Y": ["1", "2"] }).end();
    else if (pathname === "/large") response.end(Buffer.alloc(90_000, "x"));
    else if (pathname === "/hang-up") request.socket.destroy();
    else echo(request, response);
  });
  const out = egress();
  trial = { fetch: (request, signal) => out.fetch(request, signal) };
});

/** Statements with `http`, the server's `origin`, `read` for a response's text and `asked` for the request at the server. */
const withServer = (work: string): string =>
  `const http = require("http"); const origin = ${JSON.stringify(origin)}; const read = (response) => new Promise((go, fail) => { let text = ""; response.setEncoding("utf8"); response.on("data", (chunk) => { text += chunk }).on("end", () => go(text)).on("error", fail) }); const shown = ["authorization", "content-type", "x-a", "host"]; const asked = async (request) => new Promise((go, fail) => { request.on("error", fail).on("response", async (response) => { const { method, url, headers, body } = JSON.parse(await read(response)); go({ method, url, body, headers: Object.fromEntries(shown.map((name) => [name, headers[name]])) }) }) }); ${work}`;

test("requests of node:http arrive as they do from Node", async () => {
  await sameAsNode(
    [
      `return await asked(http.get(origin + "/p?q=1#h"))`,
      `return await asked(http.get(new URL(origin + "/p"), { headers: { "X-A": "1" } }))`,
      `const { hostname, port } = new URL(origin); return await asked(http.get({ hostname, port, path: "/o?x=y", auth: "u:p", headers: { "x-a": ["1", "2"] } }))`,
      `const { host } = new URL(origin); const [name, port] = host.split(":"); return await asked(http.request({ host: name, port: Number(port), method: "delete" }).end())`,
      `const sent = http.request(origin + "/post", { method: "POST", headers: { "X-A": "raw" } }); sent.setHeader("Content-Type", "text/plain"); sent.write("a"); sent.write(Buffer.from("b")); const all = asked(sent); sent.end("c"); return await all`,
      `const { pipeline } = require("stream/promises"); const { Readable } = require("stream"); const sent = http.request(origin, { method: "PUT" }); const all = asked(sent); await pipeline(Readable.from(["x", "y"]), sent); return await all`,
      `return await asked(http.request(origin, { method: "POST", headers: { "content-length": 2 } }).end("hi"))`,
      `return await asked(http.request(origin, { headers: { "Content-Type": "a/b", "content-type": "c/d" } }).end())`,
      `return await asked(http.request(origin, { headers: { "content-length": 4 } }).end("body"))`,
      `const url = new URL(origin); url.username = "me"; url.password = "p%40ss"; return await asked(http.get(url))`,
    ].map(withServer),
    [
      {
        snippet: withServer(
          `const { headers } = await asked(http.get(origin, { headers: { Host: "other.example" } })); return headers.host === new URL(origin).host`,
        ),
        guest: true,
        reason: "the host names whom it connects to",
      },
    ],
    trial,
  );
});

test("responses of node:http are read as in Node", async () => {
  await sameAsNode(
    [
      `return await new Promise((go, fail) => http.get(origin + "/cookies", (r) => { const { statusCode, statusMessage, headers, httpVersion } = r; r.resume(); go([statusCode, statusMessage, headers["set-cookie"], headers["x-y"], httpVersion, r instanceof http.IncomingMessage, r instanceof require("stream").Readable]) }).on("error", fail))`,
      `return await new Promise((go, fail) => http.get(origin + "/redirect", (r) => { r.resume(); go([r.statusCode, r.headers.location]) }).on("error", fail))`,
      `return await new Promise((go, fail) => http.get(origin + "/large", async (r) => { let size = 0; for await (const chunk of r) size += chunk.length; go([size, r.complete]) }).on("error", fail))`,
      `const [r] = await require("events").once(http.get(origin), "response"); return [(await require("stream/consumers").json(r)).method, r.complete]`,
      `const sent = http.request(origin, { method: "HEAD" }).end(); const [r] = await require("events").once(sent, "response"); return [r.statusCode, await read(r)]`,
      `const seen = []; const sent = http.get(origin); for (const name of ["socket", "finish", "response", "close"]) sent.on(name, () => seen.push(name)); sent.on("response", (r) => r.on("end", () => seen.push("end")).on("close", () => seen.push("answer closed")).resume()); await require("events").once(sent, "close"); return [seen.sort(), sent.destroyed]`,
      `const { PassThrough } = require("stream"); const out = new PassThrough(); http.get(origin, (r) => r.pipe(out)); return (await require("stream/consumers").text(out)).length > 10`,
    ].map(withServer),
    [],
    trial,
  );
});

test("requests of node:http fail and end as in Node", async () => {
  const failure = `new Promise((go) => sent.on("error", (error) => go([error.name, error.code, error.message])).on("response", () => go("answered")))`;
  await sameAsNode(
    [
      `const sent = http.get(origin + "/slow", { timeout: 20 }); sent.on("timeout", () => sent.destroy(new Error("took long"))); return await ${failure}`,
      `const sent = http.get(origin + "/slow"); sent.setTimeout(20, () => sent.destroy()); return await ${failure}`,
      `const sent = http.get(origin + "/slow"); setTimeout(() => sent.abort(), 20); const seen = []; sent.on("abort", () => seen.push("abort")); return [await ${failure}, seen, sent.aborted]`,
      `const stop = new AbortController(); const sent = http.get(origin + "/slow", { signal: stop.signal }); setTimeout(() => stop.abort(), 20); return await ${failure}`,
      `const sent = http.request(origin); sent.destroy(); return await ${failure}`,
      `const sent = http.get(origin + "/hang-up"); return await ${failure}`,
      `const sent = http.get("http://127.0.0.1:1/"); return (await ${failure})[1]`,
      `http.get("https://a.b/")`,
      `http.get("no url")`,
      `http.get({ path: "/a b" })`,
      `http.request(origin).on("error", () => {}).setHeader("a b", "c")`,
      `http.request(origin).on("error", () => {}).setHeader("a", "b\\nc")`,
      `const sent = http.request(origin, { headers: { A: 1 } }).on("error", () => {}); sent.setHeader("B", ["x", "y"]); sent.removeHeader("none"); const all = [sent.getHeader("b"), sent.hasHeader("A"), sent.getHeaderNames(), { ...sent.getHeaders() }.a, sent.getRawHeaderNames(), sent.method, sent.path, sent.protocol]; sent.destroy(); return all`,
    ].map(withServer),
    [],
    trial,
  );
});

test("node:http and node:https have the members that clients use", async () => {
  await sameAsNode([
    `const http = require("http"); const https = require("https"); return [http.STATUS_CODES[404], http.METHODS, http.globalAgent instanceof http.Agent, https.globalAgent.protocol, https.globalAgent.defaultPort, new http.Agent({ keepAlive: true, maxSockets: 5 }).maxSockets, http.Agent.prototype instanceof require("events")]`,
    `const http = require("http"); class Mine extends http.Agent { constructor() { super({ keepAlive: true }); this.mine = 1 } } const a = new Mine(); return [a.keepAlive, a.mine, a.options.keepAlive, a instanceof http.Agent]`,
    `const http = require("http"); function Old(options) { http.Agent.call(this, options); } require("util").inherits(Old, http.Agent); return new Old({ maxSockets: 3 }).maxSockets`,
    `const http = require("http"); class Server extends http.Server {} class Answer extends http.ServerResponse {} return [typeof Server, typeof Answer, typeof http.createServer, typeof http.OutgoingMessage]`,
    `const { get } = require("https"); get("http://a.b/")`,
    `require("http").validateHeaderName("a b")`,
  ]);
});

test("the body of a response stays encoded as sent", async () => {
  const zipped = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip", "x-a": "kept" }).end(gzipSync(bytes("zipped text")));
  });
  await sameAsNode(
    [
      `const [response] = await require("events").once(require("http").get("${zipped}"), "response");
      const { headers } = response; const { gunzipSync } = require("zlib");
      return [gunzipSync(await require("stream/consumers").buffer(response)).toString(), headers["content-encoding"], headers["x-a"]];`,
    ],
    [],
    trial,
  );
});

test("a connection that breaks within a body fails the response as in Node, and the body of fetch", async () => {
  const cut = await serve((_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("half", () => response.destroy());
  });
  await sameAsNode(
    [
      `const [response] = await require("events").once(require("http").get("${cut}"), "response");
      const seen = []; response.on("aborted", () => seen.push("aborted")).on("end", () => seen.push("end"));
      const error = await new Promise((go) => response.on("error", go).resume());
      return [response.statusCode, error.message, error.code, seen, response.aborted, response.complete];`,
      `const response = await fetch("${cut}"); const error = await response.text().catch((thrown) => thrown);
      return [response.status, error.name, error.message, error.cause.message, error.cause.code];`,
    ],
    [],
    trial,
  );
});

test("node:http adds the same headers as Node", async () => {
  await sameAsNode(
    [
      withServer(
        `return await new Promise((go, fail) => http.get(origin + "/echo", async (r) => { const { headers } = JSON.parse(await read(r)); go(["accept", "accept-encoding", "user-agent"].map((name) => headers[name] ?? null)) }).on("error", fail))`,
      ),
      `require("http").request("http://127.0.0.1:1/", { headers: { "X-A": undefined } })`,
      `require("http").request("http://127.0.0.1:1/").on("error", () => {}).setTimeout("soon")`,
      `require("http").request("http://127.0.0.1:1/").on("error", () => {}).setTimeout(-1)`,
      `const sent = require("http").get("http://127.0.0.1:2/"); return await new Promise((go) => sent.on("error", ({ message, code, errno, syscall, address, port }) => go([message, code, errno, syscall, address, port])))`,
      `const { cause, message } = await fetch("http://nowhere..invalid/").catch((error) => error); return [message, cause.message, cause.code, cause.errno, cause.syscall, cause.hostname]`,
      `require("url").parse(new URL("http://a.test/"))`,
    ],
    [],
    trial,
  );
});
