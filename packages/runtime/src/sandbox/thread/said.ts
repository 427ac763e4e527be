import { cutError, cutText, mostChars } from "../../model/text-limits.ts";
import { jsonDepth } from "./effects.ts";
import { parseGuestJson } from "./guest-json.ts";

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

/** Of what the prelude says around the texts of others. */
const mostSaidParts = 32;
const deepestList = 256;
const deepestDescription = 64;
/** Of a description: twice what the prelude writes at most. */
const mostDescribedParts = 1_000_000;
/** In characters. */
const longestDescription = 8 * 1024 * 1024;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Code that changes built-ins can make the prelude say anything; only texts come through. */
function readThrown(given: unknown): Thrown | undefined {
  if (given === undefined || given === null) return undefined;
  const { name, message, stack, origin } = given as { [member: string]: unknown };
  const led = cutText(textOf(origin), mostChars.origin);
  return {
    ...cutError({ name: textOf(name) || "Error", message: textOf(message), stack: textOf(stack) }),
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
  const said = parseGuestJson(text, mostSaidParts) as { error?: unknown; result?: unknown } | null;
  const result = typeof said?.result === "string" ? said.result : undefined;
  const thrown = readThrown(said?.error);
  const refusal = thrown || result === undefined ? undefined : gate.result(entry, result);
  if (refusal && entry === "run") return {};
  const error = thrown ?? refusal;
  return error ? { error } : result === undefined ? {} : { result };
}

interface JsonLimits {
  readonly deepest: number;
  readonly mostParts: number;
}

function isJson(text: string, { deepest, mostParts }: JsonLimits, isExpected: (value: unknown) => boolean): boolean {
  if (jsonDepth(text) > deepest) return false;
  try {
    return isExpected(parseGuestJson(text, mostParts));
  } catch {
    return false;
  }
}

/** True for a list in JSON that others may walk. */
export const isList = (text: string): boolean =>
  isJson(text, { deepest: deepestList, mostParts: text.length }, Array.isArray);

const tooLarge = (chars: number): Thrown => ({
  name: "Error",
  message: `What the module exports is described in at most ${longestDescription} characters of JSON, got ${chars}`,
  stack: "",
});

/** How a module was evaluated, or its description. */
export function readSaidOfModule(text: string): SaidOfModule {
  try {
    const { error, json } = parseGuestJson(text, mostSaidParts) as { error?: unknown; json?: unknown };
    const thrown = readThrown(error);
    if (thrown) return { error: thrown };
    if (json === undefined) return {};
    if (typeof json === "string" && json.length > longestDescription) return { error: tooLarge(json.length) };
    const limits = { deepest: deepestDescription, mostParts: mostDescribedParts };
    if (typeof json === "string" && isJson(json, limits, () => true)) return { json };
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
export const mostHeadParts: number = 10_000;

/** Status and headers of an answer. Throws when the text says something else: it could not be posted. */
export function readResponse(text: string): { readonly status: number; readonly headers: Pairs } {
  if (text.length > longestHead) throw new TypeError("The head of an answer is too long");
  const { status, headers } = parseGuestJson(text, mostHeadParts) as { status: unknown; headers: unknown };
  if (!isPairs(headers)) throw new TypeError("Headers are pairs of texts");
  return { status: Number(status), headers };
}

/** `head\nrest`; JSON text holds no line break, so the first one is the border. */
export function cutLine(text: string): [string, string] {
  const cut = text.indexOf("\n");
  return cut < 0 ? [text, ""] : [text.slice(0, cut), text.slice(cut + 1)];
}
