import type { EndpointRequest } from "../api/api.ts";
import { sha256Hex, type Json, type ReceivedHead } from "@x/model";

/** Most levels of a JSON body that is parsed; deeper ones stay text, because walking them could overflow a stack. */
const deepestJson = 256;

/** The three forms of a request body in the event of `run`. */
interface ParsedBody {
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

/** The same form with another boundary, one that no part contains; undefined when no part contains the given one. */
function withOtherBoundary(contentType: string, bytes: Uint8Array): { type: string; bytes: Uint8Array } | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]+)"|([^";\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  const text = `\r\n${Buffer.from(bytes).toString("latin1")}`;
  if (boundary === undefined || text.split(boundary).length === text.split(`\r\n--${boundary}`).length)
    return undefined;
  const other = sha256Hex(bytes);
  const changed = text.replaceAll(`\r\n--${boundary}`, () => `\r\n--${other}`).slice(2);
  return { type: `multipart/form-data; boundary=${other}`, bytes: Buffer.from(changed, "latin1") };
}

/** Fields by name, a repeated one as an array; undefined when the body is not well-formed multipart. */
async function findMultipart(contentType: string, bytes: Uint8Array): Promise<Json | undefined> {
  const form = await readForm(contentType, bytes);
  if (form) return form;
  // The parser of Response takes a boundary without its dashes for the end of a part.
  const other = withOtherBoundary(contentType, bytes);
  return other && readForm(other.type, other.bytes);
}

async function readForm(contentType: string, bytes: Uint8Array): Promise<Json | undefined> {
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
function joinRepeated(values: ReadonlyMap<string, Json[]>): { [name: string]: Json } {
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
async function parseBody(contentType: string | undefined, bytes: Uint8Array): Promise<ParsedBody> {
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

/** Headers of which only the first counts; repeated other ones are joined. */
const singleHeaders = new Set([
  "age",
  "authorization",
  "content-length",
  "content-type",
  "etag",
  "expires",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "retry-after",
  "server",
  "user-agent",
]);

function joinHeaders(headers: EndpointRequest["headers"]): Map<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = joined.get(key);
    if (known === undefined) joined.set(key, value);
    else if (!singleHeaders.has(key)) joined.set(key, `${known}${key === "cookie" ? "; " : ", "}${value}`);
  }
  return joined;
}

function parseQuery(search: string): { [name: string]: Json } {
  const query = new Map<string, Json[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return joinRepeated(query);
}

type HttpFields = { readonly [field: string]: Json };

function requestFields(request: EndpointRequest): HttpFields {
  return {
    method: request.method.toUpperCase(),
    path: request.path,
    query: parseQuery(request.search),
    headers: Object.fromEntries(joinHeaders(request.headers)),
    url: request.url,
    client_ip: request.clientIp,
  };
}

async function addBody(fields: HttpFields, body: Uint8Array): Promise<HttpFields> {
  const { url, client_ip, headers, ...rest } = fields;
  const contentType = (headers as { readonly [name: string]: string })["content-type"];
  const parsed = await parseBody(contentType, body);
  return { ...rest, headers: headers ?? {}, ...parsed, url: url ?? "", client_ip: client_ip ?? "" };
}

/**
 * The event of `run` for a request. It never has a top-level `timestamp`, `interval_seconds` or `cron`: components
 * recognise timer events by these.
 */
export const httpEvent = (request: EndpointRequest): Promise<HttpFields> =>
  addBody(requestFields(request), request.body);

/** The event of a body may be twelve times as long (`\\u0000`, twice), so larger bodies are stored as received. */
const mostJoinedBytes = 4 * 1024;

/** A request as it is stored: its event, or the event without the body and the body. */
export async function storedRequest(
  request: EndpointRequest,
): Promise<{ readonly event: string; readonly body?: Uint8Array }> {
  const fields = requestFields(request);
  if (request.body.byteLength > mostJoinedBytes) return { event: JSON.stringify(fields), body: request.body };
  return { event: JSON.stringify(await addBody(fields, request.body)) };
}

/** Path and query of a URL; the text itself if it is none. */
function targetOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.pathname + parsed.search : url;
}

/** JSON text of the request's head as it was received. */
export function receivedHead({ method, target, url, httpVersion, headers }: EndpointRequest): string {
  const head: ReceivedHead = {
    method,
    target: target ?? targetOf(url),
    ...(httpVersion !== undefined && { httpVersion }),
    headers,
  };
  return JSON.stringify(head);
}

/** The whole event of a request that was stored apart from its body. */
export const joinBody = async (event: string, body: Uint8Array): Promise<string> =>
  JSON.stringify(await addBody(JSON.parse(event) as HttpFields, body));
