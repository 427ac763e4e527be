import { XError } from "@x/runtime";

import type { Hold } from "./budget/byte-budget.ts";

function tooLarge(limit: number): XError {
  return new XError("payload_too_large", [String(limit)], { details: { limit_bytes: limit } });
}

export interface BodyRules {
  /** Most bytes; more is `payload_too_large` as soon as it shows. */
  readonly limit: number;
  /** Runs once before a body that is not empty is read, and may throw. */
  readonly onFirst?: () => void;
  /** What has arrived of a body counts here until it is whole. */
  readonly open?: () => Hold;
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  { limit, onFirst, open }: BodyRules,
): Promise<Uint8Array> {
  const reader = stream.getReader();
  const hold = open?.();
  let isLetGo = false;
  hold?.letGo(() => {
    isLetGo = true;
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
    }
    if (isLetGo) throw new XError("overloaded", []);
    return Buffer.concat(chunks);
  } finally {
    hold?.release();
  }
}

const nothing = new Uint8Array(0);

/** A body that is known to be so short is read at once, and does not count. */
const shortBytes = 16 * 1024;

/** Reads the request's body. */
export async function readBody(request: Request, rules: BodyRules): Promise<Uint8Array> {
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
        // Outside a real HTTP server the header may lie.
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
