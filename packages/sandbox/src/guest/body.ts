import { Blob, blobBytes } from "./blob.ts";
import { parseExactly } from "../exact-integers.ts";
import { type Headers, setMissing } from "./headers.ts";
import { hasPart, part } from "./parts.ts";
import type { ByteStream } from "./parts/streams.ts";
import { decodeUtf8, encodeUtf8, exactBuffer, viewBytes } from "./text.ts";
import { URLSearchParams } from "./url.ts";

/** The content of a body: its bytes or a stream of them. */
export interface Content {
  readonly bytes?: Uint8Array | undefined;
  readonly stream?: ByteStream | undefined;
  /** The content type that the input implies. */
  readonly type?: string | undefined;
}

const isAsyncIterable = (given: unknown): boolean =>
  typeof given === "object" &&
  given !== null &&
  typeof (given as AsyncIterable<unknown>)[Symbol.asyncIterator] === "function";

/** A stream of Node's oldest kind; `form-data` still is one. */
interface OldStream {
  on(event: string, listener: (given: unknown) => void): unknown;
  resume(): unknown;
}

const isOldStream = (given: unknown): given is OldStream =>
  typeof given === "object" &&
  given !== null &&
  ["on", "pipe", "resume"].every((name) => typeof (given as Record<string, unknown>)[name] === "function");

/** Node's fetch does not accept such a body, because axios pipes it there; here axios sends by fetch. */
async function* chunksOf(stream: OldStream): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await new Promise((resolve, reject) => {
    stream.on("data", (chunk) => chunks.push(viewBytes(chunk)?.slice() ?? encodeUtf8(String(chunk))));
    stream.on("end", resolve);
    stream.on("error", reject);
    stream.resume();
  });
  yield* chunks;
}

/** The content of bytes, a stream, or an object that the Fetch standard knows; undefined for all else. */
export function knownContent(given: unknown): Content | undefined {
  const view = viewBytes(given);
  if (view) return { bytes: view.slice() };
  if (given instanceof Blob) return { bytes: blobBytes(given), type: given.type || undefined };
  if (given instanceof URLSearchParams)
    return { bytes: encodeUtf8(given.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (hasPart("forms") && part("forms").isForm(given)) return part("forms").encode(given);
  if (isAsyncIterable(given)) return { stream: part("streams").from(given) };
  if (isOldStream(given)) return { stream: part("streams").from(chunksOf(given)) };
  return undefined;
}

/** Reads the `body` argument of a Request or Response. */
export function readContent(given: unknown): Content | undefined {
  if (given === undefined || given === null) return undefined;
  return knownContent(given) ?? textContent(String(given));
}

const textContent = (text: string): Content => ({
  bytes: encodeUtf8(text),
  type: "text/plain;charset=UTF-8",
});

let readJson: (text: string) => unknown = JSON.parse;

/** Decides for the bodies of a call whether their integers beyond 2^53 are read as texts. */
export function keepIntegers(exact: boolean): void {
  readJson = exact ? parseExactly : JSON.parse;
}

const unusable = (): TypeError => new TypeError("Body is unusable: Body has already been read");

/** Takes the content out of a body, which is used afterwards. Throws a TypeError with the message `why` when it is used already. */
export let takeContent: (body: Body, why: string) => Content | undefined;
/** The content for a clone; both bodies stay usable. Throws as `takeContent` does. */
export let shareContent: (body: Body, why: string) => Content | undefined;
/** All bytes of a body: synchronously when it holds them, otherwise when its stream ends; undefined without a body. */
export let bytesOf: (body: Body) => Uint8Array | undefined | Promise<Uint8Array>;

export class Body {
  #bytes: Uint8Array | undefined;
  #stream: ByteStream | undefined;
  #used = false;
  readonly #headers: Headers;

  static {
    takeContent = (body, why) => {
      if (body.#isUnusable()) throw new TypeError(why);
      if (body.#stream) return { stream: part("streams").proxyOf(body.#stream) };
      if (body.#bytes) body.#used = true;
      return body.#bytes && { bytes: body.#bytes };
    };
    shareContent = (body, why) => {
      if (body.#isUnusable()) throw new TypeError(why);
      if (!body.#stream) return body.#bytes && { bytes: body.#bytes.slice() };
      const [mine, theirs] = body.#stream.tee();
      body.#stream = mine;
      body.#bytes = undefined;
      return { stream: theirs };
    };
    bytesOf = (body) => {
      if (body.#isUnusable()) return Promise.reject(unusable());
      if (body.#stream) return part("streams").readAll(body.#stream);
      if (body.#bytes) body.#used = true;
      return body.#bytes;
    };
  }

  constructor(content: Content | undefined, headers: Headers) {
    this.#headers = headers;
    this.#bytes = content?.bytes;
    this.#stream = content?.stream;
    if (content?.type) setMissing(headers, "content-type", content.type);
  }
  get headers(): Headers {
    return this.#headers;
  }
  get body(): ByteStream | null {
    if (!this.#stream && this.#bytes) {
      const bytes = this.#bytes;
      this.#stream = this.#used ? part("streams").spent() : part("streams").streamOf(bytes);
      this.#bytes = undefined;
    }
    return this.#stream ?? null;
  }
  get bodyUsed(): boolean {
    return this.#used || (this.#stream !== undefined && part("streams").isDisturbed(this.#stream));
  }
  #isUnusable(): boolean {
    return this.bodyUsed || this.#stream?.locked === true;
  }
  async #read<Result>(as: (bytes: Uint8Array) => Result): Promise<Result> {
    const held = bytesOf(this);
    return as((held instanceof Promise ? await held : held) ?? new Uint8Array(0));
  }
  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#read(exactBuffer);
  }
  bytes(): Promise<Uint8Array> {
    return this.#read((bytes) => bytes);
  }
  text(): Promise<string> {
    return this.#read(decodeUtf8);
  }
  json(): Promise<unknown> {
    return this.#read((bytes) => readJson(decodeUtf8(bytes)));
  }
  blob(): Promise<Blob> {
    return this.#read((bytes) => new Blob([bytes], { type: this.#headers.get("content-type") ?? "" }));
  }
  formData(): Promise<object> {
    return this.#read((bytes) => part("forms").parse(bytes, this.#headers.get("content-type") ?? ""));
  }
}
