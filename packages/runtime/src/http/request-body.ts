import type { Json } from "@x/model";
import { parseExactly } from "@x/sandbox";

import { type BodyText, charsetOf, decodeText } from "./body-text.ts";
import { mediaType } from "./content-type.ts";
import { type Part, readParts } from "./multipart.ts";

/** Most levels of a JSON body that is parsed; deeper ones stay text, because walking them could overflow a stack. */
const deepestJson = 256;

/** The three forms of a request body in the event of `run`. */
interface BodyFields {
  /** Absent when the request had no body. */
  readonly body?: Json;
  readonly bodyRaw: string;
  /** The bytes, when `bodyRaw` in UTF-8 is not the same. */
  readonly body_b64?: string;
}

export interface ParsedBody {
  readonly fields: BodyFields;
  /** What was not understood, a sentence each. */
  readonly warnings: readonly string[];
}

/** True when arrays and objects nest deeper than `deepest`; brackets in strings are skipped. */
function nestsDeeper(text: string, deepest: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function jsonOrText(text: string, exactIntegers: boolean): Json {
  if (nestsDeeper(text, deepestJson)) return text;
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return (exactIntegers ? parseExactly(json) : JSON.parse(json)) as Json;
  } catch {
    return text;
  }
}

/** One value as it is, several as an array. Names like `__proto__` become plain members. */
export function joinRepeated(values: readonly (readonly [string, Json])[]): { [name: string]: Json } {
  const lists = new Map<string, Json[]>();
  for (const [name, value] of values) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? null) : list]));
}

const unknownCharset = (charset: string): string =>
  `The charset ${JSON.stringify(charset.slice(0, 60))} of the request's body is unknown: it was read as UTF-8, and body_b64 has the bytes where they are not`;

const namelessParts = (count: number): string =>
  `${count === 1 ? "A part" : `${count} parts`} of the multipart body had no name and ${count === 1 ? "was" : "were"} left out`;

const fileOf = ({ filename = "", contentType = "text/plain", bytes }: Part): Json => ({
  filename,
  mimetype: contentType,
  size: bytes.length,
  content_b64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
});

/** Fields by name, a repeated one as an array. */
function readForm(parts: readonly Part[]): { readonly body: Json; readonly warnings: readonly string[] } {
  const named = parts.filter(({ name }) => name !== undefined);
  const warnings = named.length < parts.length ? [namelessParts(parts.length - named.length)] : [];
  // RFC 7578, 4.6: the charset of fields that have none of their own.
  const declared = parts.find(({ name, filename }) => name === "_charset_" && filename === undefined);
  const charset = declared && Buffer.from(declared.bytes.subarray(0, 40)).toString("latin1").trim();
  const unknown = new Set<string>();
  const fields = named.map((part): [string, Json] => {
    const { name = "", filename, contentType, bytes } = part;
    if (filename !== undefined) return [name, fileOf(part)];
    const text = decodeText(bytes, charsetOf(contentType) ?? charset);
    if (text.unknownCharset !== undefined) unknown.add(text.unknownCharset);
    return [name, text.text];
  });
  return { body: joinRepeated(fields), warnings: [...warnings, ...[...unknown].slice(0, 1).map(unknownCharset)] };
}

const isJson = (type: string): boolean => /^(application|text)\/json$|\+json$/.test(type);
const isText = (type: string): boolean =>
  isJson(type) || /^text\/|^application\/(?:x-www-form-urlencoded|xml|javascript|x-ndjson)$|\+xml$/.test(type);

function withText(body: Json, { text, isExact }: BodyText, bytes: Uint8Array): BodyFields {
  return { body, bodyRaw: text, ...(!isExact && { body_b64: Buffer.from(bytes).toString("base64") }) };
}

/**
 * Parses a body by its content type. Never throws: a malformed body stays text. With `exactIntegers`, integers beyond 2^53
 * in JSON become texts.
 */
export function parseBody(contentType: string | undefined, bytes: Uint8Array, exactIntegers = false): ParsedBody {
  if (bytes.length === 0) return { fields: { bodyRaw: "" }, warnings: [] };
  const type = mediaType(contentType);
  const raw = decodeText(bytes, isText(type) ? charsetOf(contentType) : undefined);
  const parts = type === "multipart/form-data" ? readParts(contentType ?? "", bytes) : undefined;
  if (parts) {
    const { body, warnings } = readForm(parts);
    return { fields: withText(body, raw, bytes), warnings };
  }
  const warnings = raw.unknownCharset === undefined ? [] : [unknownCharset(raw.unknownCharset)];
  const body = isJson(type) && raw.isClean ? jsonOrText(raw.text, exactIntegers) : raw.text;
  return { fields: withText(body, raw, bytes), warnings };
}
