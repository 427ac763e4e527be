import { XError } from "@x/model";

import { findCodings } from "./decode.ts";
import { readBody } from "./read-body.ts";

/** Each coding of the same body multiplies what few bytes can become. */
const maxCodings = 2;

/** The codings of a Content-Encoding header, the last applied first. Throws `unsupported_media_type` for an unknown one. */
export function readCodings(header: string | null): readonly string[] {
  if (header === null) return [];
  const codings = findCodings(header);
  if (codings && codings.length <= maxCodings) return codings;
  throw new XError("unsupported_media_type", [
    "Content-Encoding gzip, deflate, br or zstd",
    JSON.stringify(header.slice(0, 60)),
  ]);
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield body;
}

export interface DecodeRules {
  /** Most bytes after each coding. */
  readonly limit: number;
  /** Reserves the bytes of the body, before and after. */
  readonly hold?: { resize(bytes: number): void } | undefined;
}

/**
 * Decodes a body in other threads. Returns undefined when it has more than `limit` bytes after a coding. Throws
 * `overloaded`, and `malformed_request` for a body that its codings cannot be.
 */
export async function decodeBody(
  body: Uint8Array,
  codings: readonly string[],
  { limit, hold }: DecodeRules,
): Promise<Uint8Array | undefined> {
  let size = body.length;
  try {
    return await readBody(once(body), {
      codings,
      cutShort: "refused",
      limit,
      hold(bytes) {
        size += bytes;
        hold?.resize(size);
        return undefined;
      },
      // A client that leaves changes nothing: what it sent is short.
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (XError.is(error)) throw error;
    const problem = `its body is not ${codings.join(" of ")}, as its Content-Encoding says`;
    throw new XError("malformed_request", [problem], { cause: error });
  }
}
