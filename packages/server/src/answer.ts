import type { Json } from "@x/runtime";

import type { Hold } from "./budget/byte-budget.ts";
import { encodeTexts, jsonTexts } from "./json-text.ts";

/** A response before any server has turned it into its own form. Header names are lower-case. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Chunks are one body, which goes out as fast as it is taken. */
  readonly body: string | Uint8Array | readonly Uint8Array[] | null;
  /** Goes out instead of the body: it is read until it ends, or cancelled. */
  readonly stream?: ReadableStream<Uint8Array>;
  /** What the answer counts for until it is taken; whoever sends it releases it. */
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

/** An answer that goes on until its stream ends. */
export function streamAnswer(mediaType: string, stream: ReadableStream<Uint8Array>): Answer {
  const headers: Answer["headers"] = [
    ["content-type", mediaType],
    ["cache-control", "no-store"],
    ["x-content-type-options", "nosniff"],
    // Proxies that collect answers before they pass them on would keep events back.
    ["x-accel-buffering", "no"],
  ];
  return { status: 200, headers, body: null, stream };
}

/** 204: done, nothing to show. */
export const emptyAnswer: Answer = { status: 204, headers: [["cache-control", "no-store"]], body: null };

const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** True when HTTP forbids a body in this answer. */
export const isBodiless = (method: string, status: number): boolean => method === "HEAD" || bodiless.has(status);

/** True for a body that is several chunks. */
export const isChunks = (body: Answer["body"]): body is readonly Uint8Array[] => Array.isArray(body);

/** The body in chunks. */
export function bodyChunks({ body }: Answer): readonly Uint8Array[] {
  if (body === null) return [];
  if (typeof body === "string") return [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
}

/** The length of the body. */
export function bodyBytes({ body }: Answer): number {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : body.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Frees what an answer holds that is not sent. */
export function discard({ stream, hold }: Answer): void {
  if (stream) void stream.cancel();
  hold?.release();
}

/** Bodies up to this are handed over at once. */
export const smallBytes: number = 64 * 1024;

/** The body of an answer as it is taken; it counts until then. */
function takenBody(answer: Answer): ReadableStream<Uint8Array> {
  const { stream, hold } = answer;
  if (stream) return stream;
  const chunks = [...bodyChunks(answer)];
  let left = bodyBytes(answer);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        hold?.letGo(() => controller.error(new Error("The answer was not read in time")));
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
