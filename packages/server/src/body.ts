import { XError } from "@x/runtime";

function tooLarge(limit: number): XError {
  return new XError("payload_too_large", [String(limit)], { details: { limit_bytes: limit } });
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number, onFirst: () => void): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.length > 0 && size === 0) onFirst();
    size += part.value.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}

const nothing = new Uint8Array(0);

/**
 * Reads at most `limit` bytes of the request's body; more is `payload_too_large` as soon as it shows.
 * `onFirst` runs once before a body that is not empty is read, and may throw.
 */
export async function readBody(request: Request, limit: number, onFirst: () => void = () => {}): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  if (length === 0 || request.method === "GET" || request.method === "HEAD") return nothing;
  try {
    if (length !== undefined && Number.isSafeInteger(length)) {
      onFirst();
      if (length > limit) throw tooLarge(limit);
      const bytes = new Uint8Array(await request.arrayBuffer());
      // Outside a real HTTP server the header may lie.
      if (bytes.length > limit) throw tooLarge(limit);
      return bytes;
    }
    return request.body ? await readStream(request.body, limit, onFirst) : nothing;
  } catch (error) {
    if (XError.is(error)) throw error;
    throw new XError("malformed_request", ["the body ended early"], { cause: error });
  }
}
