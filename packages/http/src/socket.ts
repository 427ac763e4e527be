import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import { errorText } from "@x/runtime";

import type { Answer } from "./answer.ts";
import { refusal } from "./failure.ts";

function writeRaw(socket: Duplex, answer: Answer): void {
  if (socket.destroyed || !socket.writable) return;
  const body = String(answer.body ?? "");
  const headers = [...answer.headers, ["content-length", String(Buffer.byteLength(body))], ["connection", "close"]];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n${lines}\r\n${body}`);
}

/** The answer to an error of Node's parser, or to a timeout. */
function refuseError(code: string | undefined): Answer {
  const refuse = (status: number, problem: string): Answer =>
    refusal(status, "malformed_request", errorText("malformed_request", problem));
  if (code === "HPE_HEADER_OVERFLOW") return refuse(431, "its header is too large");
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return refuse(413, "its chunk extensions are too large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse(408, "it took too long to arrive");
  return refuse(400, "it cannot be parsed");
}

/** Returns a function that closes connections without a request: browsers and fetch open some in advance. */
export function endsUnusedSockets(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Resolves when the requests that have arrived whole on a connection are answered. */
function trackAnswers(server: Server): (socket: Duplex) => Promise<unknown> {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const waiting = open.get(socket) ?? new Set();
    open.set(socket, waiting.add(response));
    response.once("close", () => waiting.delete(response));
  });
  return (socket) => {
    const whole = [...(open.get(socket) ?? [])].filter(({ req }) => req.complete);
    return Promise.all(whole.map((response) => new Promise((resolve) => response.once("close", resolve))));
  };
}

/** Answers malformed requests with the JSON error body, after those before them, and handles errors of sockets. */
export function refuseBrokenRequests(server: Server): void {
  const answered = trackAnswers(server);
  const refused = new WeakSet<Duplex>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A reset connection cannot be answered.
    if (error.code === "ECONNRESET") socket.destroy();
    else if (!refused.has(socket)) {
      refused.add(socket);
      void answered(socket).then(() => writeRaw(socket, refuseError(error.code)));
    }
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    writeRaw(socket, refusal(405, "method_not_allowed", "Method CONNECT is not allowed here."));
  });
}
