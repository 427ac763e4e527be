import { jsonDepth } from "./effects.ts";

/** An error as the prelude describes it. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Stacks of what led there. */
  readonly origin?: string;
}

/** What the prelude says of an evaluated module. */
export interface SaidOfModule {
  readonly error?: Thrown;
  readonly json?: string;
}

const longestOrigin = 40_000;
const deepestList = 256;
const deepestDescription = 64;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Code that changes built-ins can make the prelude say anything; only texts come through. */
function readThrown(given: unknown): Thrown | undefined {
  if (given === undefined || given === null) return undefined;
  const { name, message, stack, origin } = given as { [member: string]: unknown };
  const led = textOf(origin).slice(0, longestOrigin);
  return {
    name: textOf(name) || "Error",
    message: textOf(message),
    stack: textOf(stack),
    ...(led !== "" && { origin: led }),
  };
}

/** How an entry ended, and what it answered as JSON text. */
export interface SaidOfCall {
  readonly error?: Thrown;
  readonly result?: string;
}

/** Says why what an entry answered cannot be taken. */
interface ResultGate {
  result(entry: string, text: string): Thrown | undefined;
}

/** Reads how an entry ended. What a run leaves is only told: too much of it is left out. Throws when the text is not JSON. */
export function readResult(text: string, entry: string, gate: ResultGate): SaidOfCall {
  const said = JSON.parse(text) as { error?: unknown; result?: unknown } | null;
  const result = typeof said?.result === "string" ? said.result : undefined;
  const thrown = readThrown(said?.error);
  const refusal = thrown || result === undefined ? undefined : gate.result(entry, result);
  if (refusal && entry === "run") return {};
  const error = thrown ?? refusal;
  return error ? { error } : result === undefined ? {} : { result };
}

function isJson(text: string, deepest: number, isExpected: (value: unknown) => boolean): boolean {
  if (jsonDepth(text) > deepest) return false;
  try {
    return isExpected(JSON.parse(text));
  } catch {
    return false;
  }
}

/** True for a list in JSON that others may walk. */
export const isList = (text: string): boolean => isJson(text, deepestList, Array.isArray);

/** How a module was evaluated, or its description. */
export function readSaidOfModule(text: string): SaidOfModule {
  try {
    const said = JSON.parse(text) as { error?: unknown; json?: unknown };
    const error = readThrown(said.error);
    if (error) return { error };
    if (said.json === undefined) return {};
    if (typeof said.json === "string" && isJson(said.json, deepestDescription, () => true)) return { json: said.json };
  } catch {
    // Said below.
  }
  return { error: { name: "Error", message: "The module changes built-ins that its description needs", stack: "" } };
}

export type Pairs = [string, string][];

export const isPairs = (value: unknown): value is Pairs =>
  Array.isArray(value) &&
  value.every(
    (pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" && typeof pair[1] === "string",
  );

/** Of a request or an answer: all but its body, as JSON, in characters. */
export const longestHead: number = 1024 * 1024;

/** Status and headers of an answer. Throws when the text says something else: it could not be posted. */
export function readResponse(text: string): { readonly status: number; readonly headers: Pairs } {
  if (text.length > longestHead) throw new TypeError("The head of an answer is too long");
  const { status, headers } = JSON.parse(text) as { status: unknown; headers: unknown };
  if (!isPairs(headers)) throw new TypeError("Headers are pairs of texts");
  return { status: Number(status), headers };
}

/** `head\nrest`; JSON text holds no line break, so the first one is the border. */
export function cutLine(text: string): [string, string] {
  const cut = text.indexOf("\n");
  return cut < 0 ? [text, ""] : [text.slice(0, cut), text.slice(cut + 1)];
}
