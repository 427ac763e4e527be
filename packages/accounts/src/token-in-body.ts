import type { GuestRequest } from "@x/sandbox";

type Sent = Pick<GuestRequest, "headers" | "body">;

/** Larger bodies are data, and are not looked at. */
const maxBytes = 64 * 1024;
/** With one of these headers a body that is changed is another one, or cannot be read. */
const fixed = new Set(["content-encoding", "content-md5", "content-digest", "digest", "repr-digest"]);

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

const headerOf = ({ headers }: Sent, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

function decode(body: Uint8Array): string | undefined {
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}

/** A piece of a text; `value` is what it stands for, if it may be a token. */
interface Piece {
  readonly text: string;
  readonly value?: string;
}

const formValue = (text: string): string => new URLSearchParams(`v=${text}`).get("v") ?? "";

const formPieces = (text: string): Piece[] =>
  text.split(/(&)/).flatMap((pair) => {
    const start = pair.indexOf("=") + 1;
    const value = pair.slice(start);
    return start === 0 ? { text: pair } : [{ text: pair.slice(0, start) }, { text: value, value: formValue(value) }];
  });

/** A string of JSON; also one without an end, so that nothing is looked at twice. */
const jsonString = /("(?:[^"\\]|\\.|\\$)*(?:"|$))/s;

/** The strings of a JSON text, and what is between them. */
const jsonPieces = (text: string): Piece[] =>
  text.split(jsonString).map((piece, index) => {
    if (index % 2 === 0) return { text: piece };
    try {
      return { text: piece, value: JSON.parse(piece) as string };
    } catch {
      return { text: piece };
    }
  });

interface Read {
  readonly pieces: readonly Piece[];
  write(value: string): string;
}

/** The body in pieces; undefined for one that is not a form or JSON, or that may not be changed. */
function read(request: Sent): Read | undefined {
  const { headers, body } = request;
  if (body === undefined || body.length === 0 || body.length > maxBytes) return undefined;
  if (headers.some(([name]) => fixed.has(name.toLowerCase()))) return undefined;
  const text = decode(body);
  if (text === undefined) return undefined;
  const type = headerOf(request, "content-type") ?? "";
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return { pieces: formPieces(text), write: (value) => new URLSearchParams({ v: value }).toString().slice(2) };
  // Many clients send JSON as plain text.
  return /[/+]json\b/i.test(type) || /^\s*[[{]/.test(text)
    ? { pieces: jsonPieces(text), write: (value) => JSON.stringify(value) }
    : undefined;
}

/** The texts of a body that may be access tokens: values of a form, and strings of JSON. */
export const bodyCandidates = (request: Sent): readonly string[] =>
  read(request)?.pieces.flatMap(({ value }) => value ?? []) ?? [];

/** The request with another token in its body; everything else in it stays as it was written. */
export function withTokenInBody<Request extends Sent>(request: Request, old: string, token: string): Request {
  const known = read(request);
  if (!known?.pieces.some(({ value }) => value === old)) return request;
  const text = known.pieces.map((piece) => (piece.value === old ? known.write(token) : piece.text)).join("");
  const body = encoder.encode(text);
  const headers = request.headers.map(([name, value]): readonly [string, string] => [
    name,
    name.toLowerCase() === "content-length" ? String(body.length) : value,
  ]);
  return { ...request, headers, body };
}
