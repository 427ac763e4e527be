import type { AccountChange, NewAccount } from "./api.ts";
import { XError } from "./errors.ts";
import type { Account, Json } from "./model.ts";

const longestAppChars = 128;
const longestNameChars = 256;
const mostAuthBytes = 64 * 1024;

/** The kind of a value; credentials are never shown, also not in errors. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function refuse(parameter: string, expected: string, got: string): never {
  const errors = [{ in: "body", path: `/${parameter}`, message: `must be ${expected}` }];
  throw new XError("invalid_parameter", [parameter, expected, got], { details: { parameter, errors } });
}

function validateApp(app: unknown): string {
  const isSlug = typeof app === "string" && app.length <= longestAppChars && /^[^\s\p{Cc}]+$/u.test(app);
  return isSlug ? app : refuse("app", `an app slug of 1 to ${longestAppChars} characters`, kindOf(app));
}

function validateName(name: unknown): string | null {
  const isName = name === null || (typeof name === "string" && name.length > 0 && name.length <= longestNameChars);
  return isName ? name : refuse("name", `a text of 1 to ${longestNameChars} characters, or null`, kindOf(name));
}

/** A copy that is nothing but JSON, so that later changes of the caller's object do not reach it. */
function validateAuth(auth: unknown): Account["auth"] {
  const expected = `a JSON object of at most ${mostAuthBytes} bytes`;
  if (typeof auth !== "object" || auth === null || Array.isArray(auth)) return refuse("auth", expected, kindOf(auth));
  let text: string;
  try {
    text = JSON.stringify(auth);
  } catch {
    return refuse("auth", expected, "something that JSON cannot say");
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > mostAuthBytes) return refuse("auth", expected, `${bytes} bytes`);
  return JSON.parse(text) as { readonly [field: string]: Json };
}

/** Throws `invalid_parameter`. */
export const validateNewAccount = ({ app, name = null, auth }: NewAccount): Pick<Account, "app" | "name" | "auth"> => ({
  app: validateApp(app),
  name: validateName(name),
  auth: validateAuth(auth),
});

/** Throws `missing_parameter` for a change that changes nothing, `invalid_parameter`. */
export function validateAccountChange({ name, auth }: AccountChange): Partial<Pick<Account, "name" | "auth">> {
  if (name === undefined && auth === undefined)
    throw new XError("missing_parameter", ["auth", "new credentials, or a new name"], {
      details: { parameter: "auth" },
    });
  return {
    ...(name !== undefined && { name: validateName(name) }),
    ...(auth !== undefined && { auth: validateAuth(auth) }),
  };
}
