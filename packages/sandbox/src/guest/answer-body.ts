import { hostOp } from "../ops.ts";
import { knownContent } from "./body.ts";
import { ask } from "./host.ts";
import { lossOf, requireJson } from "./json-text.ts";
import { isPlain, kindOf } from "./kind-of.ts";
import { part } from "./parts.ts";
import type { ByteStream } from "./parts/streams.ts";
import { encodeUtf8, joinBytes, viewBytes } from "./text.ts";

/** The body of an answer: its bytes, or the promise of them when a stream has to be read. */
export interface AnswerBody {
  readonly bytes: Uint8Array | Promise<Uint8Array>;
  /** The content type that the body implies. */
  readonly type?: string | undefined;
}

const expected = "text, bytes, a Blob, URLSearchParams, FormData, a stream or JSON data";

function refuse(got: string): never {
  throw new TypeError(`respond: body must be ${expected}, got ${got}`);
}

function bytesOfChunk(chunk: unknown): Uint8Array {
  // A copy: the stream may use the memory of a chunk again.
  const bytes = typeof chunk === "string" ? encodeUtf8(chunk) : viewBytes(chunk)?.slice();
  if (bytes) return bytes;
  throw new TypeError(`respond: the parts of a stream must be text or bytes, got ${kindOf(chunk)}`);
}

function tooLarge(limit: number): Error {
  const error = new Error(`The body of a response must be at most ${limit} bytes, and the stream holds more`);
  return Object.defineProperty(error, "name", { value: "ResponseTooLargeError", configurable: true, writable: true });
}

/** Reads a stream to its end; stops it when it holds more than an answer may. */
async function readStream(stream: ByteStream): Promise<Uint8Array> {
  const reader = stream.getReader();
  const limit = Number(ask(hostOp.responseLimit));
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return joinBytes(chunks);
      const bytes = bytesOfChunk(value);
      size += bytes.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(bytes);
    }
  } catch (error) {
    // What its source answers changes nothing.
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

/** Begins to read a stream, which is locked from now on. */
export function beginRead(stream: ByteStream): Promise<Uint8Array> {
  if (stream.locked || part("streams").isDisturbed(stream))
    throw new TypeError("respond: body is a stream that something else reads or has read");
  return readStream(stream);
}

/** Data as JSON. An object of which nothing would be left is refused. */
function readData(data: object): AnswerBody {
  if (typeof (data as PromiseLike<unknown>).then === "function") refuse(`${kindOf(data)}: await it first`);
  const hasText = typeof (data as { toJSON?: unknown }).toJSON === "function";
  const loss = hasText ? undefined : lossOf(data);
  if (loss) refuse(`${loss.called}: ${loss.fix}`);
  const text = requireJson(data, { subject: "respond: body", what: "respond", path: "body", error: "TypeError" });
  if (text === "{}" && !hasText && !isPlain(data)) refuse(`${kindOf(data)} without a field that JSON can hold`);
  return { bytes: encodeUtf8(text), type: "application/json" };
}

/** The body of an answer. Throws a TypeError that says what was expected. */
export function readBody(body: unknown): AnswerBody {
  if (typeof body === "function" || typeof body === "symbol") refuse(kindOf(body));
  if (typeof body === "object" && body !== null) {
    const content = knownContent(body);
    if (!content) return readData(body);
    const { bytes, stream, type } = content;
    return { bytes: stream ? beginRead(stream) : (bytes ?? new Uint8Array(0)), type };
  }
  return { bytes: encodeUtf8(body === undefined || body === null ? "" : String(body)) };
}
