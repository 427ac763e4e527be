import { parseGuestJson } from "../thread/guest-json.ts";

/** A function of a host library that components can call: options are JSON, parts are bytes. Pure, except for new keys. */
export type HostFunction = (given: object, parts: readonly Uint8Array[]) => unknown;
export type HostFunctions = Readonly<Record<string, HostFunction>>;

type Bytes = Uint8Array;

/** Types the options of a function. They come from the guest unchecked: Node's own checks apply. */
export const hostFunction =
  <Given>(answer: (given: Given, ...parts: Bytes[]) => unknown): HostFunction =>
  (given, parts) =>
    answer(given as Given, ...parts);

/** Refuses work during which a thread could not be terminated, before it begins. */
export function refuseWork(what: string, most: string): never {
  throw Object.assign(new RangeError(`${what} exceeds the limit of the sandbox for one call: at most ${most}`), {
    code: "ERR_OUT_OF_RANGE",
  });
}

/** Bytes of all parts of one call. */
export const maxBytes: number = 64 * 1024 * 1024;

/** Data in pieces; a thread can be terminated between them. */
export function* inPieces(data: Uint8Array, pieceBytes: number): Iterable<Uint8Array> {
  for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
}

const maxParts = 10_000;

function cutParts(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let position = 0;
  return lengths.map((length) => {
    const part = bytes.subarray(position, position + length);
    position += length;
    return part;
  });
}

/** Begins a result that is an error. */
const errorMark = "!";
/** Fields of Node's errors that the guest receives. */
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
 * Calls the function that the JSON text `[name, options, lengths of the parts]` names. Returns bytes as bytes, anything
 * else as JSON text, and errors, those of malformed text included, as `!` and JSON. Never throws.
 */
export function answerWith(
  functions: HostFunctions,
  text: string,
  bytes: Uint8Array = new Uint8Array(0),
): string | Uint8Array {
  try {
    const [name, given, lengths] = parseGuestJson(text, maxParts) as [string, object, number[]];
    const answer = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!answer) throw new TypeError(`The host has no function "${name}"`);
    if (bytes.length > maxBytes) refuseWork(`${name} of ${bytes.length} bytes`, `${maxBytes} bytes`);
    const result = answer(given, cutParts(bytes, lengths));
    return result instanceof Uint8Array ? result : JSON.stringify(result ?? null);
  } catch (error) {
    return describeError(error);
  }
}
