import type { IncomingMessage } from "node:http";

import { decodeBody, readCodings, XError } from "@x/runtime";

/** The bytes of a body that a body parser has read and kept: `rawBody`, or `body` where it is bytes. */
export function keptBody(incoming: IncomingMessage): Uint8Array | undefined {
  if (!incoming.readableDidRead) return undefined;
  if ("rawBody" in incoming && incoming.rawBody instanceof Uint8Array) return incoming.rawBody;
  return "body" in incoming && incoming.body instanceof Uint8Array ? incoming.body : undefined;
}

/** True when somebody else has read the body, or reads it. */
export const isBodyUsed = (request: Request): boolean => request.bodyUsed || request.body?.locked === true;

/** True when the bytes are still in the coding that the header names: most body parsers keep them decoded. */
async function isEncoded(body: Uint8Array, header: string, limit: number): Promise<boolean> {
  try {
    await decodeBody(body, readCodings(header), { limit });
    return true;
  } catch (error) {
    return XError.is(error) && error.code !== "malformed_request";
  }
}

/** The same request with the bytes of its body, of which at most `limit` are looked at. */
export async function withBody(request: Request, body: Uint8Array, limit: number): Promise<Request> {
  const { url, method } = request;
  const headers = new Headers(request.headers);
  const coding = headers.get("content-encoding");
  if (coding !== null && !(await isEncoded(body, coding, limit))) headers.delete("content-encoding");
  headers.set("content-length", String(body.byteLength));
  return new Request(url, { method, headers, ...(body.byteLength > 0 && { body: Buffer.from(body) }) });
}
