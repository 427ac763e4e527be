import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import type { Attack } from "../attack.ts";

/** A server that a component requests. It answers over HTTP, or writes raw bytes. */
export interface HostileUpstream extends Attack {
  readonly answer?: (response: ServerResponse, request: IncomingMessage) => void;
  readonly raw?: (socket: Socket) => void;
}

const zeros = Buffer.alloc(32 * 1024 * 1024);
const coded = (coding: string, body: Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-encoding": coding }).end(body);

function endless(write: (chunk: string) => boolean, wait: (go: () => void) => void, chunk: string): void {
  while (write(chunk));
  wait(() => endless(write, wait, chunk));
}
const stream = (response: ServerResponse, chunk = "x".repeat(65_536)): void =>
  endless(
    (text) => !response.destroyed && response.write(text),
    (go) => void response.once("drain", go),
    chunk,
  );
const lines =
  (head: string, tail = "") =>
  (socket: Socket): void =>
    void socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${tail}`);

const rows: readonly (readonly [id: string, ways: Pick<HostileUpstream, "answer" | "raw">])[] = [
  ["gzip-bomb", { answer: (response) => coded("gzip", gzipSync(zeros))(response) }],
  ["deflate-bomb", { answer: (response) => coded("deflate", deflateSync(zeros))(response) }],
  ["brotli-bomb", { answer: (response) => coded("br", brotliCompressSync(zeros, { params: { 1: 1 } }))(response) }],
  ["nested-bomb", { answer: (response) => coded("gzip, gzip", gzipSync(gzipSync(zeros)))(response) }],
  ["many-codings", { answer: (response) => coded(Array(500).fill("gzip").join(), gzipSync("x"))(response) }],
  ["not-gzip", { answer: (response) => coded("gzip", Buffer.from("plain"))(response) }],
  ["cut-gzip", { answer: (response) => coded("gzip", gzipSync("x".repeat(1000)).subarray(0, 20))(response) }],
  ["endless-body", { answer: (response) => stream(response) }],
  [
    "endless-header",
    {
      raw: (socket) =>
        endless(
          (text) => !socket.destroyed && socket.write(text),
          (go) => void socket.once("drain", go),
          `HTTP/1.1 200 OK\r\nx: ${"y".repeat(65_536)}`,
        ),
    },
  ],
  ["many-headers", { raw: lines(Array.from({ length: 5_000 }, (_, n) => `x-${n}: y`).join("\r\n"), "") }],
  ["silent", { raw: () => undefined }],
  ["slow-head", { raw: (socket) => void socket.write("HTTP/1.1 200 OK\r\nx:") }],
  ["slow-body", { answer: (response) => void response.writeHead(200, { "content-length": "100" }).write("x") }],
  ["short-body", { raw: lines("content-length: 100", "x") }],
  ["long-body", { raw: lines("content-length: 1", "x".repeat(1000)) }],
  ["negative-length", { raw: lines("content-length: -1", "x") }],
  ["two-lengths", { raw: lines("content-length: 1\r\ncontent-length: 5", "xxxxx") }],
  ["length-and-chunks", { raw: lines("content-length: 5\r\ntransfer-encoding: chunked", "0\r\n\r\n") }],
  ["huge-chunk", { raw: lines("transfer-encoding: chunked", "ffffffffffffffff\r\nx") }],
  ["bad-chunk", { raw: lines("transfer-encoding: chunked", "zz\r\nx") }],
  ["chunks-of-one-byte", { raw: lines("transfer-encoding: chunked", `${"1\r\nx\r\n".repeat(200_000)}0\r\n\r\n`) }],
  ["empty-extensions", { raw: lines("transfer-encoding: chunked", `1;${"a=b;".repeat(200_000)}\r\nx\r\n0\r\n\r\n`) }],
  ["no-http", { raw: (socket) => void socket.end("SSH-2.0-x\r\n") }],
  ["http-0.9", { raw: (socket) => void socket.end("<html></html>") }],
  [
    "continues",
    {
      raw: (socket) =>
        endless(
          (text) => !socket.destroyed && socket.write(text),
          (go) => void socket.once("drain", go),
          "HTTP/1.1 100 Continue\r\n\r\n".repeat(100),
        ),
    },
  ],
  [
    "switches",
    {
      raw: (socket) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    },
  ],
  ["split-header", { raw: lines("x: a\rset-cookie: b\r\n y: c", "") }],
  ["nul-header", { raw: lines("x: a\0b", "") }],
  ["huge-status", { raw: (socket) => void socket.end("HTTP/1.1 99999 X\r\n\r\n") }],
  [
    "second-answer",
    {
      raw: (socket) =>
        void socket.end(
          "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged",
        ),
    },
  ],
  ["hangs-up", { raw: (socket) => void socket.destroy() }],
  ["resets", { raw: (socket) => void socket.resetAndDestroy() }],
];

export const upstreams: readonly HostileUpstream[] = rows.map(([id, ways]) => ({
  id: `upstream-${id}`,
  class: "upstreams",
  promise: "replies-bounded",
  ...ways,
}));
