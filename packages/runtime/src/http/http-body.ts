import type { Json } from "../model/model.ts";

/** Most levels of a JSON body that is parsed; deeper ones stay text, because walking them could overflow a stack. */
const deepestJson = 256;

/** The three forms of a request body in the event of `run`. */
export interface ParsedBody {
  /** Absent when the request had no body. */
  readonly body?: Json;
  readonly bodyRaw: string;
  /** The bytes, when they are not valid UTF-8. */
  readonly body_b64?: string;
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

function jsonOrText(text: string): Json {
  if (nestsDeeper(text, deepestJson)) return text;
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text) as Json;
  } catch {
    return text;
  }
}

async function fieldValue(value: string | File): Promise<Json> {
  if (typeof value === "string") return value;
  const bytes = Buffer.from(await value.arrayBuffer());
  return { filename: value.name, mimetype: value.type, size: bytes.length, content_b64: bytes.toString("base64") };
}

/** Fields by name, a repeated one as an array; undefined when the body is not well-formed multipart. */
async function findMultipart(contentType: string, bytes: Uint8Array): Promise<Json | undefined> {
  const fields = new Map<string, Json[]>();
  try {
    const form = await new Response(Buffer.from(bytes), { headers: { "content-type": contentType } }).formData();
    for (const [name, value] of form) {
      const values = fields.get(name);
      const field = await fieldValue(value);
      if (values) values.push(field);
      else fields.set(name, [field]);
    }
  } catch {
    return undefined;
  }
  return joinRepeated(fields);
}

/** One value as it is, several as an array. Names like `__proto__` become plain members. */
export function joinRepeated(values: ReadonlyMap<string, Json[]>): { [name: string]: Json } {
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? null) : list]));
}

const exactText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const nearText = new TextDecoder("utf-8", { ignoreBOM: true });

function decode(bytes: Uint8Array): { readonly text: string; readonly isExact: boolean } {
  try {
    return { text: exactText.decode(bytes), isExact: true };
  } catch {
    return { text: nearText.decode(bytes), isExact: false };
  }
}

/** Parses a body by its content type. Never rejects: a malformed body stays text. */
export async function parseBody(contentType: string | undefined, bytes: Uint8Array): Promise<ParsedBody> {
  if (bytes.length === 0) return { bodyRaw: "" };
  const { text, isExact } = decode(bytes);
  const raw = { bodyRaw: text, ...(!isExact && { body_b64: Buffer.from(bytes).toString("base64") }) };
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (/^(application|text)\/json$|\+json$/.test(type) && isExact) {
    return { body: jsonOrText(text), ...raw };
  }
  if (type === "multipart/form-data" && contentType !== undefined) {
    return { body: (await findMultipart(contentType, bytes)) ?? text, ...raw };
  }
  return { body: text, ...raw };
}
