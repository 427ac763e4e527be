import type { LeftItem, LeftWork } from "../contract.ts";
import { cutError, cutText, isParsable, maxChars } from "@x/model";
import type { BundleStack } from "./bundle-text.ts";
import { jsonDepth, parseGuestJson } from "./guest-json.ts";

// Readers of what the prelude sends. Code that changes built-ins can make it send anything, so each reader checks types and sizes.

/** An error as the prelude describes it. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Stacks of the asynchronous calls that led there. */
  readonly origin?: string;
}

/** Result of evaluating a module: its error, its description as JSON, or neither. */
export interface ModuleResult {
  readonly error?: Thrown;
  readonly json?: string;
}

/** Result of an entry: its error, or its return value as JSON text. */
export interface CallResult {
  readonly error?: Thrown;
  readonly result?: string;
}

/** Limit of JSON parts in a result; the texts inside do not count. */
const maxResultParts = 32;
const deepestList = 256;
const deepestDescription = 64;
/** Twice what the prelude writes at most. */
const maxDescriptionParts = 1_000_000;
/** In characters. */
const longestDescription = 8 * 1024 * 1024;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function readThrown(given: unknown): Thrown | undefined {
  if (given === undefined || given === null) return undefined;
  const { name, message, stack, origin } = given as { [member: string]: unknown };
  const shortOrigin = cutText(textOf(origin), maxChars.origin);
  return {
    ...cutError({ name: textOf(name) || "Error", message: textOf(message), stack: textOf(stack) }),
    ...(shortOrigin !== "" && { origin: shortOrigin }),
  };
}

interface ResultGate {
  /** Why a return value is refused; undefined when it is accepted. */
  result(entry: string, text: string): Thrown | undefined;
}

/**
 * Reads the result of an entry. The return value of `run` is only reported, so one that is refused is left out. Throws on
 * invalid JSON.
 */
export function readCallResult(text: string, entry: string, gate: ResultGate): CallResult {
  const given = parseGuestJson(text, maxResultParts) as { error?: unknown; result?: unknown } | null;
  const result = typeof given?.result === "string" ? given.result : undefined;
  const thrown = readThrown(given?.error);
  const refusal = thrown || result === undefined ? undefined : gate.result(entry, result);
  if (refusal && entry === "run") return {};
  const error = thrown ?? refusal;
  return error ? { error } : result === undefined ? {} : { result };
}

interface JsonLimits {
  readonly deepest: number;
  readonly maxParts: number;
}

function isJson(text: string, { deepest, maxParts }: JsonLimits, isExpected: (value: unknown) => boolean): boolean {
  if (jsonDepth(text) > deepest) return false;
  try {
    return isExpected(parseGuestJson(text, maxParts));
  } catch {
    return false;
  }
}

/** Whether text is a JSON list of at most 256 levels. */
export const isList = (text: string): boolean =>
  isJson(text, { deepest: deepestList, maxParts: text.length }, Array.isArray);

const tooLarge = (chars: number): Thrown => ({
  name: "Error",
  message: `The description of what the module exports may have at most ${longestDescription} characters of JSON, got ${chars}`,
  stack: "",
});

/** The main thread parses it. */
const tooManyParts: Thrown = {
  name: "Error",
  message: "The description of what the module exports may have at most 200,000 objects and lists",
  stack: "",
};

/** Reads the result of evaluating or describing a module. A malformed result becomes an error. */
export function readModuleResult(text: string): ModuleResult {
  try {
    const { error, json } = parseGuestJson(text, maxResultParts) as { error?: unknown; json?: unknown };
    const thrown = readThrown(error);
    if (thrown) return { error: thrown };
    if (json === undefined) return {};
    if (typeof json === "string" && json.length > longestDescription) return { error: tooLarge(json.length) };
    if (typeof json === "string" && !isParsable(json)) return { error: tooManyParts };
    const limits = { deepest: deepestDescription, maxParts: maxDescriptionParts };
    if (typeof json === "string" && isJson(json, limits, () => true)) return { json };
  } catch {
    // Malformed, as below.
  }
  return { error: { name: "Error", message: "The module changes built-ins that its description needs", stack: "" } };
}

export type Pairs = [string, string][];

export const isPairs = (value: unknown): value is Pairs =>
  Array.isArray(value) &&
  value.every(
    (pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" && typeof pair[1] === "string",
  );

/** Limit of the JSON of a request or response without its body, in characters. */
export const longestHead: number = 1024 * 1024;
export const maxHeadParts: number = 10_000;

/** Reads status and headers of an HTTP response. Throws when they are malformed. */
export function readResponse(text: string): { readonly status: number; readonly headers: Pairs } {
  if (text.length > longestHead) throw new TypeError("The head of the response is too long");
  const { status, headers } = parseGuestJson(text, maxHeadParts) as { status: unknown; headers: unknown };
  if (!isPairs(headers)) throw new TypeError("Headers must be pairs of strings");
  return { status: Number(status), headers };
}

const maxLeftItems = 20;
const longestDetail = 200;
const longestStack = 8_192;
const leftKinds: readonly unknown[] = [
  "timer",
  "interval",
  "request",
  "emit",
  "db",
  "data_store",
  "respond",
] satisfies LeftItem["kind"][];
const isLeftKind = (kind: unknown): kind is LeftItem["kind"] => leftKinds.includes(kind);

function readLeftItem(given: unknown, stackOf: BundleStack): LeftItem[] {
  const { kind, detail, stack } = given as { kind: unknown; detail: unknown; stack: unknown };
  if (!isLeftKind(kind)) return [];
  const shortStack = stackOf(String(stack).slice(0, longestStack));
  return [{ kind, detail: String(detail).slice(0, longestDetail), stack: shortStack }];
}

/** Reads the list of unfinished work; undefined when it is empty. Throws when it is malformed. */
export function readLeft(text: string, stackOf: BundleStack): LeftWork | undefined {
  const given = parseGuestJson(text, 8 * maxLeftItems) as { count: unknown; items: readonly unknown[] };
  const items = given.items.slice(0, maxLeftItems).flatMap((item) => readLeftItem(item, stackOf));
  return items.length === 0
    ? undefined
    : { count: Math.max(items.length, Math.trunc(Number(given.count)) || 0), items };
}
