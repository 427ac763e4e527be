import { isDeepStrictEqual } from "node:util";

import { XError, didYouMean, type SchemeParameters, type Verification } from "@x/model";
import { secretProblem } from "./keys.ts";
import { schemeOf } from "./described-scheme.ts";
import type { Scheme } from "./scheme.ts";
import { findScheme, schemes } from "./schemes.ts";

/** How requests prove who sent them, as it is given: the members of `SchemeParameters` with underscores. */
export interface VerificationInput {
  readonly scheme: string;
  /** One to four; `{"__secret": true}` stands for those that are stored. */
  readonly secret?: unknown;
  readonly [parameter: string]: unknown;
}

const maxSecrets = 4;
const longestSecret = 4_096;
const longestText = 200;
const longestTolerance = 86_400;

const isText = (value: unknown, longest: number = longestText): value is string =>
  typeof value === "string" && value !== "" && value.length <= longest;

const headerName = /^[\w\-!#$%&'*+.^`|~]{1,100}$/;

interface ParameterRule {
  readonly name: keyof SchemeParameters;
  readonly expected: string;
  fits(value: unknown): boolean;
}

const oneOf = (...values: readonly string[]): Pick<ParameterRule, "expected" | "fits"> => ({
  expected: values.join(" or "),
  fits: (value) => values.includes(value as string),
});
const text = { expected: `a text of 1 to ${longestText} characters`, fits: (value: unknown): boolean => isText(value) };
const header = {
  expected: "the name of a header",
  fits: (value: unknown): boolean => typeof value === "string" && headerName.test(value),
};

/** By the names of the interface. */
const parameterRules: { readonly [name: string]: ParameterRule } = {
  header: { name: "header", ...header },
  query: { name: "query", ...text },
  prefix: { name: "prefix", ...text },
  algorithm: { name: "algorithm", ...oneOf("sha1", "sha256", "sha512") },
  encoding: { name: "encoding", ...oneOf("hex", "base64") },
  signed: {
    name: "signed",
    expected: `a text with {body}, such as "{t}.{body}"; {t}, {url}, {method} and members of the body such as {data.token} are replaced`,
    fits: (value) => isText(value) && isSignable(value),
  },
  timestamp: { name: "timestamp", ...header },
  unit: { name: "unit", ...oneOf("s", "ms") },
  tolerance: {
    name: "tolerance",
    expected: `an integer of 1 to ${longestTolerance} seconds`,
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= longestTolerance,
  },
  item: { name: "item", ...text },
  challenge: { name: "challenge", ...text },
  verify_token: { name: "verifyToken", ...text },
};

const isSignable = (signed: string): boolean =>
  signed.includes("{body}") &&
  [...signed.matchAll(/\{([^{}]*)\}/g)].every(([, name = ""]) => /^(?:t|body|url|method|\w+(?:\.\w+)+)$/.test(name));

const parametersOf: { readonly [scheme: string]: readonly string[] } = {
  hmac: [
    "header",
    "prefix",
    "algorithm",
    "encoding",
    "signed",
    "timestamp",
    "unit",
    "tolerance",
    "item",
    "challenge",
    "verify_token",
  ],
  token: ["header", "query", "challenge", "verify_token"],
  basic: ["challenge", "verify_token"],
  none: [],
  meta: ["verify_token"],
  strava: [],
};

const allowedFor = (name: string, scheme: Scheme): readonly string[] =>
  parametersOf[name] ?? (scheme.kind === "signature" && scheme.time ? ["tolerance"] : []);

function refuse(parameter: string, expected: string, got: string): never {
  throw new XError("invalid_parameter", [parameter, expected, got], { details: { parameter } });
}

function readParameters(scheme: string, given: object, stored: Verification | undefined, at: string): SchemeParameters {
  const row = findScheme(scheme);
  const allowed = row ? allowedFor(scheme, row) : [];
  const read = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const known = allowed.includes(name) ? parameterRules[name] : undefined;
    if (!known) {
      const expected = `no parameter of scheme ${scheme}${allowed.length > 0 ? `, which has ${allowed.join(", ")}` : ""}`;
      return refuse(`${at}${name}`, expected, "one");
    }
    const kept = name === "verify_token" && isKept(value) ? stored?.parameters?.verifyToken : undefined;
    if (kept !== undefined) return [known.name, kept] as const;
    // The value may be a secret.
    if (!known.fits(value)) return refuse(`${at}${name}`, known.expected, "something else");
    const isHeader = name === "header" || (name === "timestamp" && !Object.hasOwn(given, "item"));
    return [known.name, isHeader ? String(value).toLowerCase() : value] as const;
  });
  return Object.fromEntries(read) as SchemeParameters;
}

const isKept = (value: unknown): boolean => isDeepStrictEqual(value, { __secret: true });

function readSecrets(given: unknown, stored: readonly string[], at: string): readonly string[] {
  const expected = `a text of 1 to ${longestSecret} characters, or a list of 1 to ${maxSecrets} of them`;
  const list: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given];
  if (list.some(isKept) && stored.length === 0) refuse(at, `${expected}: none is stored that could be kept`, "one");
  const secrets = list.flatMap((each): readonly unknown[] => (isKept(each) ? stored : [each]));
  if (!secrets.every((each) => isText(each, longestSecret)))
    refuse(at, expected, secrets.includes("") ? "an empty one" : "something else");
  if (secrets.length > maxSecrets || (Array.isArray(given) && given.length === 0))
    refuse(at, expected, `${secrets.length} of them`);
  return [...new Set(secrets)];
}

const needsSecret = (scheme: Scheme): boolean => scheme.kind !== "none" || scheme.hasSecret === true;

function checkSecrets(name: string, scheme: Scheme, secrets: readonly string[], at: string): void {
  // A reader that verifies by itself may have some.
  if (!needsSecret(scheme)) return;
  if (secrets.length === 0) refuse(at, `given, because scheme ${name} needs a secret`, "nothing");
  if (scheme.kind !== "signature") return;
  for (const secret of secrets) {
    const expected = secretProblem(scheme, secret);
    if (expected !== undefined) refuse(at, expected, `a text of ${secret.length} characters`);
  }
}

/**
 * A verification from what was given. `stored`: the one before, whose secrets `{"__secret": true}` keeps; `at`: stands
 * before the names of parameters in errors. Throws `invalid_parameter` without showing a value.
 */
export function readVerification(given: VerificationInput, stored?: Verification, at: string = ""): Verification {
  const { scheme, secret, ...rest } = given;
  const row = typeof scheme === "string" ? findScheme(scheme) : undefined;
  if (!row) {
    const hint = typeof scheme === "string" ? didYouMean(scheme, Object.keys(schemes)) : "";
    refuse(
      `${at}scheme`,
      `one of ${Object.keys(schemes).join(", ")}${hint}`,
      scheme === undefined ? "nothing" : "another",
    );
  }
  const parameters = readParameters(scheme, rest, stored, at);
  if (scheme === "hmac" && parameters.header === undefined)
    refuse(`${at}header`, "given: the header of the signature", "nothing");
  if (scheme === "token" && (parameters.header === undefined) === (parameters.query === undefined))
    refuse(`${at}header`, "given, or query instead of it", parameters.header === undefined ? "nothing" : "both");
  const secrets = readSecrets(secret, stored?.secrets ?? [], `${at}secret`);
  const verification: Verification = {
    scheme,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    secrets,
  };
  checkSecrets(scheme, schemeOf(verification) ?? row, secrets, `${at}secret`);
  return verification;
}

/** The parameters of a verification by their names in the interface, as clients see them: without secrets. */
export function shownParameters({ parameters = {} }: Verification): { readonly [name: string]: string | number } {
  const shown = Object.entries(parameterRules).flatMap(([name, { name: key }]): [string, string | number][] => {
    const value = parameters[key];
    return value === undefined || key === "verifyToken" ? [] : [[name, value]];
  });
  return Object.fromEntries(shown);
}
