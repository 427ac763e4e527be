import { once } from "node:events";
import { connect } from "node:net";

/** An answer of a server, by its bytes. */
export interface WireAnswer {
  readonly status: number;
  readonly body: string;
}

/** Longer than any answer takes. */
const hangMs = 60_000;

/**
 * Sends parts on one connection, and resolves with everything that came until the server closed it. When `settled` resolves, the
 * sending half ends: Node then drops what it has not answered.
 */
export async function exchangeBytes(
  port: number,
  parts: readonly Uint8Array[],
  settled: () => Promise<void>,
): Promise<Buffer> {
  const socket = connect({ port, host: "127.0.0.1" });
  const received: Buffer[] = [];
  socket.on("data", (data) => received.push(data));
  // The server may close the connection before everything is sent; its answers count.
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  socket.setNoDelay(true);
  const hang = setTimeout(() => socket.destroy(new Error("hang")), hangMs);
  for (const part of parts)
    if (!socket.write(part)) await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
  void settled().then(() => socket.end());
  await closed;
  clearTimeout(hang);
  if (socket.errored?.message === "hang") throw new Error(`no end of the connection after ${hangMs} ms`);
  return Buffer.concat(received);
}

/** Reads the body of an answer; returns where the next one begins. */
function readBody(bytes: Buffer, from: number, head: string): { body: string; end: number } {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = from + Number(length);
    if (end > bytes.length) throw new Error("an answer ends early");
    return { body: bytes.toString("utf8", from, end), end };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { body: "", end: from };
  const chunks: Buffer[] = [];
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) throw new Error("a chunk has no size");
    if (size === 0) return { body: Buffer.concat(chunks).toString(), end: lineEnd + 4 };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

/** Splits what a server sent into answers. Throws when it is anything else. */
export function readAnswers(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let at = 0; at < bytes.length;) {
    const headEnd = bytes.indexOf("\r\n\r\n", at);
    const head = bytes.toString("latin1", at, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) [^\r\n]*(?:\r\n|$)/.exec(head)?.[1]);
    if (headEnd < 0 || Number.isNaN(status))
      throw new Error(`no answer: ${JSON.stringify(bytes.toString("latin1", at, at + 200))}`);
    if (status < 200) {
      at = headEnd + 4;
      continue;
    }
    const { body, end } = readBody(bytes, headEnd + 4, head);
    answers.push({ status, body });
    at = end;
  }
  return answers;
}
