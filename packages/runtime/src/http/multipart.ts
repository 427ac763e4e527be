import { parameterOf } from "./content-type.ts";

/** One part of a multipart body. */
export interface Part {
  /** Absent where Content-Disposition, or its name, is missing. */
  readonly name: string | undefined;
  /** Of a file; "" when the client gave an empty one. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

/** RFC 2046, 5.1.1. */
const longestBoundary = 70;

/** Most bytes of the headers of one part. */
const maxHeaderBytes = 16 * 1024;

const dash = 0x2d;
const space = 0x20;
const tab = 0x09;
const endOfHeaders = Buffer.from("\r\n\r\n");

interface Delimiter {
  /** Where the content before it ends. */
  readonly at: number;
  /** Where the content after it begins; undefined after the last part. */
  readonly next: number | undefined;
}

const isLineEnd = (bytes: Buffer, at: number): boolean => bytes[at] === 0x0d && bytes[at + 1] === 0x0a;

/** The delimiter whose boundary ends at `end`; undefined for text that only looks like one. */
function readDelimiter(bytes: Buffer, at: number, end: number): Delimiter | undefined {
  if (bytes[end] === dash && bytes[end + 1] === dash) return { at, next: undefined };
  let after = end;
  while (bytes[after] === space || bytes[after] === tab) after++;
  return isLineEnd(bytes, after) ? { at, next: after + 2 } : undefined;
}

function findDelimiter(bytes: Buffer, mark: Buffer, from: number): Delimiter | undefined {
  for (let at = bytes.indexOf(mark, from); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    const found = readDelimiter(bytes, at, at + mark.length);
    if (found) return found;
  }
  return undefined;
}

/** Browsers write quotes and line ends of names this way. */
const unescapeName = (text: string): string =>
  text.replaceAll("%22", '"').replaceAll(/%0a/gi, "\n").replaceAll(/%0d/gi, "\r");

/** The text of `filename*` (RFC 8187), such as `UTF-8''%e2%82%ac.txt`. Throws when it is none. */
function extendedText(value: string): string {
  const [charset = "", , encoded = ""] = value.split("'");
  const bytes = Buffer.from(
    encoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
  return new TextDecoder(charset, { fatal: true }).decode(bytes);
}

function decodeTransfer(encoding: string | undefined, bytes: Buffer): Buffer {
  return encoding?.toLowerCase() === "base64" ? Buffer.from(bytes.toString("latin1"), "base64") : bytes;
}

const nameless = { name: undefined, filename: undefined, contentType: undefined };

/** Throws when the headers of the part do not end, or its `filename*` cannot be read. */
function readPart(bytes: Buffer, begin: number, end: number): Part {
  if (isLineEnd(bytes, begin)) return { ...nameless, bytes: bytes.subarray(Math.min(end, begin + 2), end) };
  // The empty line may end with the line end that belongs to the next delimiter.
  const head = bytes.subarray(begin, Math.min(end + 2, begin + maxHeaderBytes));
  const headEnd = head.indexOf(endOfHeaders);
  if (headEnd === -1) throw new SyntaxError("the headers of a part do not end");
  const headers = new Map<string, string>();
  for (const line of head.toString("utf8", 0, headEnd).split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition");
  const name = parameterOf(disposition, "name");
  const extended = parameterOf(disposition, "filename*");
  const filename = parameterOf(disposition, "filename");
  const content = bytes.subarray(Math.min(end, begin + headEnd + endOfHeaders.length), end);
  return {
    name: name === undefined ? undefined : unescapeName(name),
    filename: extended !== undefined ? extendedText(extended) : filename && unescapeName(filename),
    contentType: headers.get("content-type"),
    bytes: decodeTransfer(headers.get("content-transfer-encoding"), content),
  };
}

/**
 * The parts of a multipart body; undefined when it is malformed. A parser of our own: that of `Response` refuses the whole
 * form for a part without a name, and reads texts as UTF-8 only.
 */
export function readParts(contentType: string, body: Uint8Array): readonly Part[] | undefined {
  const boundary = parameterOf(contentType, "boundary");
  if (!boundary || boundary.length > longestBoundary) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const mark = Buffer.from(`\r\n--${boundary}`);
  const opening = mark.subarray(2);
  const first = bytes.subarray(0, opening.length).equals(opening) ? readDelimiter(bytes, 0, opening.length) : undefined;
  const parts: Part[] = [];
  try {
    for (let from = first ?? findDelimiter(bytes, mark, 0); ;) {
      if (!from) return undefined;
      if (from.next === undefined) return parts;
      // An empty part: its delimiter shares the line end of the one before.
      const next = findDelimiter(bytes, mark, from.next - 2);
      if (!next) return undefined;
      parts.push(readPart(bytes, from.next, Math.max(from.next, next.at)));
      from = next;
    }
  } catch {
    return undefined;
  }
}
