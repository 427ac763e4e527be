import { decodeBody, readCodings, XError } from "@x/runtime";

import type { Hold } from "./budget/byte-budget.ts";

function tooLarge(limit: number): XError {
  return new XError("payload_too_large", [String(limit)], { details: { limit_bytes: limit } });
}

/** A body that has come in this many chunks is refused while they are tiny: each takes as much work as a large one. */
const manyChunks = 4_096;
const tinyBytes = 16;

export interface BodyRules {
  /** Most bytes; reading stops with `payload_too_large` when there are more. */
  readonly limit: number;
  /** Called before a non-empty body is read; may throw. */
  readonly onFirst?: () => void;
  /** Reserves the bytes of a body until it is complete. */
  readonly open?: () => Hold;
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  { limit, onFirst, open }: BodyRules,
): Promise<Uint8Array> {
  const reader = stream.getReader();
  const hold = open?.();
  let isEvicted = false;
  hold?.onEvict(() => {
    isEvicted = true;
    void reader.cancel().catch(() => undefined);
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (part.value.length > 0 && size === 0) onFirst?.();
      size += part.value.length;
      if (size > limit) throw tooLarge(limit);
      hold?.resize(size);
      chunks.push(part.value);
      if (chunks.length >= manyChunks && size < chunks.length * tinyBytes)
        throw new XError("body_fragmented", [String(chunks.length), String(size)]);
    }
    if (isEvicted) throw new XError("overloaded", []);
    return Buffer.concat(chunks);
  } finally {
    hold?.release();
  }
}

const nothing = new Uint8Array(0);

/** A body with a declared length up to this many bytes is read without a reservation. */
const shortBytes = 16 * 1024;

/** Decodes a body; its bytes before and after are reserved meanwhile. */
async function decode(body: Uint8Array, codings: readonly string[], { limit, open }: BodyRules): Promise<Uint8Array> {
  const hold = open?.();
  try {
    const decoded = await decodeBody(body, codings, { limit, hold });
    if (!decoded) throw tooLarge(limit);
    return decoded;
  } finally {
    hold?.release();
  }
}

/**
 * Reads the request's body, without its Content-Encoding. Throws `payload_too_large`, also for what it becomes,
 * `unsupported_media_type` for an unknown coding, `body_fragmented`, `overloaded`, and `malformed_request` when it ends early.
 */
export async function readBody(request: Request, rules: BodyRules): Promise<Uint8Array> {
  const codings = readCodings(request.headers.get("content-encoding"));
  const body = await readEncoded(request, rules);
  return codings.length === 0 || body.length === 0 ? body : decode(body, codings, rules);
}

async function readEncoded(request: Request, rules: BodyRules): Promise<Uint8Array> {
  const { limit, onFirst } = rules;
  const declared = request.headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  if (length === 0 || request.method === "GET" || request.method === "HEAD") return nothing;
  try {
    if (length !== undefined && Number.isSafeInteger(length)) {
      if (length > limit) {
        onFirst?.();
        throw tooLarge(limit);
      }
      if (length <= shortBytes) {
        onFirst?.();
        const bytes = new Uint8Array(await request.arrayBuffer());
        // Without a real HTTP server the header may be wrong.
        if (bytes.length > limit) throw tooLarge(limit);
        return bytes;
      }
    }
    return request.body ? await readStream(request.body, rules) : nothing;
  } catch (error) {
    if (XError.is(error)) throw error;
    throw new XError("malformed_request", ["the body ended early"], { cause: error });
  }
}
