import type { AccountChange, NewAccount } from "./contract.ts";
import { XError, readEach, tooLong, type Account, type Json } from "@x/model";

const longestAppChars = 128;
const longestNameChars = 256;
const maxAuthBytes = 64 * 1024;
/** Levels; code that walks deeper credentials could overflow its stack. */
const deepest = 256;

/** Describes a value by its kind, and a text by the limit that it exceeds; errors never show credentials. */
function kindOf(value: unknown, most: number = Number.POSITIVE_INFINITY): string {
  const long = tooLong(value, most);
  if (long !== undefined) return `a text ${long}`;
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Throws `invalid_parameter`. */
export function refuse(parameter: string, expected: string, got: string): never {
  throw new XError("invalid_parameter", [parameter, expected, got]);
}

/** Throws `invalid_parameter`. */
export function validateApp(app: unknown): string {
  const isSlug = typeof app === "string" && app.length <= longestAppChars && /^[^\s\p{Cc}]+$/u.test(app);
  return isSlug
    ? app
    : refuse("app", `an app slug of 1 to ${longestAppChars} characters`, kindOf(app, longestAppChars));
}

/** Throws `invalid_parameter`. */
export function validateName(name: unknown): string | null {
  const isName = name === null || (typeof name === "string" && name.length > 0 && name.length <= longestNameChars);
  return isName
    ? name
    : refuse("name", `a text of 1 to ${longestNameChars} characters, or null`, kindOf(name, longestNameChars));
}

const nestsDeeper = (value: Json, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => nestsDeeper(item, levels - 1)));

/**
 * Copies a value through JSON, so that later changes of the given object do not reach the copy. Undefined for a value that
 * JSON cannot represent or that nests too deeply.
 */
export function findPlain(given: unknown): Json | undefined {
  try {
    const copy = JSON.parse(JSON.stringify(given)) as Json;
    return nestsDeeper(copy, deepest) ? undefined : copy;
  } catch {
    return undefined;
  }
}

function validateAuth(given: unknown): Account["auth"] {
  const expected = `a JSON object of at most ${maxAuthBytes} bytes and ${deepest} levels`;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  if (!isObject) return refuse("auth", expected, kindOf(given));
  const auth = findPlain(given);
  if (auth === undefined) return refuse("auth", expected, "a value that JSON cannot represent, or that nests deeper");
  if (typeof auth !== "object" || auth === null || Array.isArray(auth)) return refuse("auth", expected, kindOf(auth));
  const bytes = Buffer.byteLength(JSON.stringify(auth));
  return bytes > maxAuthBytes ? refuse("auth", expected, `${bytes} bytes`) : auth;
}

/** Throws `invalid_parameter`. */
export const validateNewAccount = ({ app, name = null, auth }: NewAccount): Pick<Account, "app" | "name" | "auth"> =>
  readEach({ app: () => validateApp(app), name: () => validateName(name), auth: () => validateAuth(auth) });

/** Throws `missing_parameter` for an empty change, and `invalid_parameter`. */
export function validateAccountChange({ name, auth }: AccountChange): Partial<Pick<Account, "name" | "auth">> {
  if (name === undefined && auth === undefined)
    throw new XError("missing_parameter", ["auth", "new credentials, or a new name"]);
  return readEach({
    ...(name !== undefined && { name: () => validateName(name) }),
    ...(auth !== undefined && { auth: () => validateAuth(auth) }),
  });
}
