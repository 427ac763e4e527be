import type { Kit } from "../kit.ts";

/** A field of a form; the value is a text or a file. */
export type Field = readonly [name: string, value: unknown];

const escapes: Record<string, string> = { "\n": "%0A", "\r": "%0D", '"': "%22" };
const quoted = (text: string): string => `"${text.replace(/[\n\r"]/g, (letter) => escapes[letter] ?? letter)}"`;
const lines = (text: string): string => text.replace(/\r\n|\r|\n/g, "\r\n");

const boundaryDigits = 16;

/** Fields as `multipart/form-data`, by the HTML standard: line ends of names and texts are CRLF. */
export function encodeMultipart(kit: Kit, fields: readonly Field[]): { bytes: Uint8Array; type: string } {
  const digits = Array.from({ length: boundaryDigits }, () => Math.floor(Math.random() * 10)).join("");
  const boundary = `----formdata-x-${digits}`;
  const chunks = fields.flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(lines(name))}`;
    if (!(value instanceof kit.Blob)) return [kit.encodeUtf8(`${head}\r\n\r\n${lines(String(value))}\r\n`)];
    const { name: fileName } = value as unknown as { name: string };
    const type = value.type || "application/octet-stream";
    return [
      kit.encodeUtf8(`${head}; filename=${quoted(fileName)}\r\nContent-Type: ${type}\r\n\r\n`),
      kit.blobBytes(value),
      kit.encodeUtf8("\r\n"),
    ];
  });
  return {
    bytes: kit.joinBytes([...chunks, kit.encodeUtf8(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

const chunk = 8192;

/** One character per byte, so that text positions are byte positions. */
function binaryText(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk) parts.push(String.fromCharCode(...bytes.subarray(at, at + chunk)));
  return parts.join("");
}

const unreadable = (why: string): TypeError => new TypeError(`Failed to parse body as FormData: ${why}`);
const unquote = (text: string): string =>
  text.replace(/%0A|%0D|%22/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));

/** The fields of a `multipart/form-data` body: name, value, and the file name of files. */
export function* parseMultipart(kit: Kit, bytes: Uint8Array, type: string): Generator<[string, unknown, string?]> {
  const given = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  const boundary = given?.[1] ?? given?.[2];
  if (boundary === undefined) throw unreadable("the content type has no boundary");
  const text = binaryText(bytes);
  const mark = `--${boundary}`;
  let at = text.startsWith(mark) ? 0 : text.indexOf(`\r\n${mark}`) + 2;
  if (at === 1) throw unreadable("the boundary does not occur");
  const decode = (from: number, to: number): string => kit.decodeUtf8(bytes.slice(from, to));
  for (;;) {
    at += mark.length;
    if (text.startsWith("--", at)) return;
    if (!text.startsWith("\r\n", at)) throw unreadable("a boundary is followed by something else");
    const headEnd = text.indexOf("\r\n\r\n", at);
    const end = text.indexOf(`\r\n${mark}`, Math.max(headEnd, at));
    if (headEnd < 0 || end < 0) throw unreadable("a part has no end");
    const head = decode(at + 2, headEnd);
    const name = /^content-disposition:\s*form-data\b[^\n]*;\s*name="([^"]*)"/im.exec(head)?.[1];
    if (name === undefined) throw unreadable("a part has no name");
    const fileName = /^content-disposition:[^\n]*;\s*filename="([^"]*)"/im.exec(head)?.[1];
    const partType = /^content-type:\s*([^\r\n]*)/im.exec(head)?.[1] ?? "text/plain";
    const from = headEnd + 4;
    if (fileName === undefined) yield [unquote(name), decode(from, end)];
    else yield [unquote(name), new kit.Blob([bytes.slice(from, end)], { type: partType }), unquote(fileName)];
    at = end + 2;
  }
}
