import { decodeText, encodingName } from "./host.ts";
import { exactBuffer, viewBytes } from "./text.ts";

/** The Encoding standard's decoder. The host decodes; incomplete characters stay here between calls. */
export class TextDecoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  #incomplete = new Uint8Array(0);
  /** A byte order mark counts only at the start of a stream. */
  #started = false;

  constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    this.#fatal = Boolean(options.fatal);
    this.#ignoreBom = Boolean(options.ignoreBOM);
    const name = encodingName(String(label));
    if (name === undefined) throw new RangeError(`The "${String(label)}" encoding is not supported`);
    this.#encoding = name;
  }

  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }
  get [Symbol.toStringTag](): string {
    return "TextDecoder";
  }

  decode(source?: unknown, options: { stream?: boolean } = {}): string {
    const given = source === undefined ? new Uint8Array(0) : viewBytes(source);
    if (!given) throw new TypeError("decode takes an ArrayBuffer or a view of one");
    const bytes = new Uint8Array(this.#incomplete.length + given.length);
    bytes.set(this.#incomplete);
    bytes.set(given, this.#incomplete.length);
    const whole = bytes.length - (options.stream ? incompleteBytes(bytes, this.encoding) : 0);
    this.#incomplete = bytes.slice(whole);
    const keepMark = this.ignoreBOM || this.#started;
    this.#started = options.stream === true && (this.#started || whole > 0);
    const text = decodeText(exactBuffer(bytes.slice(0, whole)), this.encoding, this.fatal, keepMark);
    if (text === undefined) {
      this.#incomplete = new Uint8Array(0);
      this.#started = false;
      throw Object.assign(new TypeError(`The encoded data was not valid for encoding ${this.encoding}`), {
        code: "ERR_ENCODING_INVALID_ENCODED_DATA",
      });
    }
    return text;
  }
}

/** The number of bytes at the end that begin an incomplete character. */
function incompleteBytes(bytes: Uint8Array, encoding: string): number {
  if (encoding === "utf-8") return incompleteUtf8(bytes);
  if (encoding !== "utf-16le" && encoding !== "utf-16be") return 0;
  const odd = bytes.length % 2;
  const last = bytes.length - odd - 2;
  const high = bytes[encoding === "utf-16le" ? last + 1 : last] ?? 0;
  return last >= 0 && (high & 0xfc) === 0xd8 ? odd + 2 : odd;
}

function incompleteUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const lead = bytes[bytes.length - back] ?? 0;
    if ((lead & 0xc0) === 0x80) continue;
    const width =
      lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
    if (width <= back) return 0;
    return back === 1 || isSecondByte(lead, bytes[bytes.length - back + 1] ?? 0) ? back : 0;
  }
  return 0;
}

/** Whether a continuation byte can follow these lead bytes: others encode overlong forms, surrogates or too large code points. */
function isSecondByte(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second < 0x90;
}
