import { type Json, XError } from "@x/runtime";

const deepest = 256;
const quote = 0x22;
const backslash = 0x5c;

/** Digits from which a number may be too large for JavaScript. */
const manyDigits = 300;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
/** True for e and E. */
const isExponent = (code: number): boolean => (code | 0x20) === 0x65;

interface Outline {
  readonly depth: number;
  /** True with a number that has an exponent or very many digits: only these can be too large. */
  readonly hasLongNumber: boolean;
}

/** What a JSON text is like, outside of its strings. */
function outlineOf(text: string): Outline {
  let depth = 0;
  let most = 0;
  let digits = 0;
  let hasLongNumber = false;
  let insideString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (insideString) {
      if (code === backslash) index++;
      else if (code === quote) insideString = false;
    } else if (isDigit(code)) hasLongNumber ||= ++digits >= manyDigits;
    else {
      hasLongNumber ||= digits > 0 && isExponent(code);
      digits = 0;
      if (code === quote) insideString = true;
      else if (code === 0x5b || code === 0x7b) most = Math.max(most, ++depth);
      else if (code === 0x5d || code === 0x7d) depth--;
    }
  }
  return { depth: most, hasLongNumber };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new XError("invalid_json", ["it is not UTF-8 text"]);
  }
}

/** Numbers too large for JavaScript become Infinity, which JSON cannot represent. */
function holdsInfinity(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsInfinity);
}

/** Parses a JSON body. Throws `invalid_json`, also for nesting too deep for recursion. */
export function parseJson(bytes: Uint8Array): Json {
  const text = decode(bytes);
  const { depth, hasLongNumber } = outlineOf(text);
  if (depth > deepest) throw new XError("invalid_json", [`it is nested deeper than ${deepest} levels`]);
  const value = parseText(text);
  if (hasLongNumber && holdsInfinity(value)) {
    throw new XError("invalid_json", ["a number is beyond ±1.8e308"]);
  }
  return value;
}

function parseText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    // Only the position: the engine's message quotes the input.
    const position = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
    throw new XError("invalid_json", [position ? `syntax error ${position}` : "syntax error"]);
  }
}
