import type { Json } from "@x/runtime";

import type { Hold } from "./budget/byte-budget.ts";
import { encodeTexts, jsonTexts } from "./json-text.ts";

/** A response, independent of the server that sends it. Header names are lower-case. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** A list of chunks is one body; a chunk is sent when the client has read the one before. */
  readonly body: string | Uint8Array | readonly Uint8Array[] | null;
  /** Sent instead of the body, until it ends or the client leaves. */
  readonly stream?: ReadableStream<Uint8Array>;
  /** The bytes that the answer reserves; released by the code that sends it. */
  readonly hold?: Hold;
}

/** A JSON value, or an object type whose members are such values. */
export type Body = Json | object;

const common: readonly (readonly [string, string])[] = [
  ["content-type", "application/json; charset=utf-8"],
  // Answers carry API keys and component code.
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
];

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: Body, headers: readonly (readonly [string, string])[] = []): Answer {
  return { status, headers: [...common, ...headers], body: JSON.stringify(body) };
}

/** An answer with a JSON body, in which a `JsonText` is not parsed. */
export const jsonTextAnswer = (status: number, body: object): Answer => ({
  status,
  headers: common,
  body: encodeTexts(jsonTexts(body)),
});

/** An answer with a plain text. */
export const textAnswer = (body: string): Answer => ({
  status: 200,
  headers: [["content-type", "text/plain; charset=utf-8"], ...common.slice(1)],
  body,
});

/** An answer whose body is a stream. */
export function streamAnswer(mediaType: string, stream: ReadableStream<Uint8Array>): Answer {
  const headers: Answer["headers"] = [
    ["content-type", mediaType],
    // Stops compressing middleware and proxies from holding events back.
    ["cache-control", "no-store, no-transform"],
    ["x-content-type-options", "nosniff"],
    ["x-accel-buffering", "no"],
  ];
  return { status: 200, headers, body: null, stream };
}

/** 204 without a body. */
export const emptyAnswer: Answer = { status: 204, headers: [["cache-control", "no-store"]], body: null };

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** True when HTTP allows no body in this answer. */
export const isBodiless = (method: string, status: number): boolean => method === "HEAD" || bodiless.has(status);

/** True for a body that is several chunks. */
export const isChunks = (body: Answer["body"]): body is readonly Uint8Array[] => Array.isArray(body);

/** The body in chunks. */
export function bodyChunks({ body }: Answer): readonly Uint8Array[] {
  if (body === null) return [];
  if (typeof body === "string") return [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
}

/** The length of the body in bytes. */
export function bodyBytes({ body }: Answer): number {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : body.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Releases the resources of an answer that is not sent. */
export function discard({ stream, hold }: Answer): void {
  // It may have failed already, or have a reader that ends it.
  stream?.cancel().catch(() => undefined);
  hold?.release();
}

/** Bodies up to this many bytes are sent at once. */
export const smallBytes: number = 64 * 1024;

/** The body of an answer as a stream; each chunk stays reserved until it is read. */
function takenBody(answer: Answer): ReadableStream<Uint8Array> {
  const { stream, hold } = answer;
  if (stream) return stream;
  const chunks = [...bodyChunks(answer)];
  let left = bodyBytes(answer);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        hold?.onEvict(() => controller.error(new Error("The answer was not read in time")));
      },
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk) {
          left -= chunk.byteLength;
          hold?.move(left);
          controller.enqueue(chunk);
        } else {
          hold?.release();
          controller.close();
        }
      },
      cancel: () => hold?.release(),
    },
    { highWaterMark: 0 },
  );
}

/** The answer as a Web-standard response to a request with this method. */
export function toResponse(method: string, answer: Answer): Response {
  const headers = new Headers();
  for (const [name, value] of answer.headers) headers.append(name, value);
  const { status } = answer;
  if (isBodiless(method, status)) {
    discard(answer);
    return new Response(null, { status, headers });
  }
  const { body, stream, hold } = answer;
  if (stream || bodyBytes(answer) > smallBytes) return new Response(takenBody(answer), { status, headers });
  hold?.release();
  const small = typeof body === "string" || body === null ? body : Buffer.concat(bodyChunks(answer));
  return new Response(small, { status, headers });
}
