import type { Json } from "@x/runtime";

/** A response before any server has turned it into its own form. Header names are lower-case. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | Uint8Array | null;
  /** Goes out instead of the body: it is read until it ends, or cancelled. */
  readonly stream?: ReadableStream<Uint8Array>;
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

/** Frees what an answer holds that is not sent. */
export function discardStream({ stream }: Answer): void {
  if (stream) void stream.cancel();
}

/** The answer as a Web-standard response to a request with this method. */
export function toResponse(method: string, answer: Answer): Response {
  const headers = new Headers();
  for (const [name, value] of answer.headers) headers.append(name, value);
  const { status, body, stream } = answer;
  if (isBodiless(method, status)) {
    discardStream(answer);
    return new Response(null, { status, headers });
  }
  return new Response(stream ?? (body instanceof Uint8Array ? new Uint8Array(body) : body), { status, headers });
}
