import { parseGuestJson } from "../thread/guest-json.ts";

/** One of the host's libraries as components ask for it: options are JSON, parts are bytes; the same question has the same answer. */
export type HostFunction = (given: object, parts: readonly Uint8Array[]) => unknown;
export type HostFunctions = Readonly<Record<string, HostFunction>>;

type Bytes = Uint8Array;

/** Declares what a function reads of its options. The guest sends them, so Node's own checks are what holds. */
export const hostFunction =
  <Given>(answer: (given: Given, ...parts: Bytes[]) => unknown): HostFunction =>
  (given, parts) =>
    answer(given as Given, ...parts);

/** Work of one call that a thread could not be ended in: refused before it begins. */
export function refuseWork(what: string, most: string): never {
  throw Object.assign(new RangeError(`${what} is more work than the sandbox gives one call; at most ${most}`), {
    code: "ERR_OUT_OF_RANGE",
  });
}

/** Bytes that one question may hold. */
export const mostBytes: number = 64 * 1024 * 1024;

/** Data in pieces between which a thread can be ended. */
export function* inPieces(data: Uint8Array, pieceBytes: number): Iterable<Uint8Array> {
  for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
}

const mostParts = 10_000;

function cutParts(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let position = 0;
  return lengths.map((length) => {
    const part = bytes.subarray(position, position + length);
    position += length;
    return part;
  });
}

/** Marks an answer as an error. */
const errorMark = "!";
/** What Node's errors say beside their message. */
const errorFields = ["name", "message", "code", "reason", "library", "function", "errno"] as const;

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return errorMark + JSON.stringify({ name: "Error", message: String(error) });
  const fields = error as unknown as Record<string, unknown>;
  const dom = error instanceof DOMException || undefined;
  const code = dom ? undefined : fields["code"];
  return (
    errorMark + JSON.stringify({ ...Object.fromEntries(errorFields.map((name) => [name, fields[name]])), code, dom })
  );
}

/**
 * Answers `[name, options, lengths of the parts]`: bytes as bytes, anything else as JSON text, errors as `!` and JSON,
 * also where the text is no such list. Never throws.
 */
export function answerWith(
  functions: HostFunctions,
  text: string,
  bytes: Uint8Array = new Uint8Array(0),
): string | Uint8Array {
  try {
    const [name, given, lengths] = parseGuestJson(text, mostParts) as [string, object, number[]];
    const answer = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!answer) throw new TypeError(`The host has no function "${name}"`);
    if (bytes.length > mostBytes) refuseWork(`${name} of ${bytes.length} bytes`, `${mostBytes} bytes`);
    const said = answer(given, cutParts(bytes, lengths));
    if (said instanceof Uint8Array) return said;
    return JSON.stringify(said ?? null);
  } catch (error) {
    return describeError(error);
  }
}
