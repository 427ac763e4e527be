import type { NewApp, NewOAuthClient } from "./contract.ts";
import { XError, tooLong, readEach, type AccountApp, type AppField, type OAuthClient } from "@x/model";
import { findService } from "./oauth/services/find-service.ts";
import { addressesOf, namesIn, urlProblem } from "./oauth/server.ts";
import { refuse, validateApp } from "./account-input.ts";

const longestText = 512;
const longestSecret = 4_096;
const longestUrl = 2_048;
const maxFields = 32;
const maxScopes = 100;
const maxParams = 20;
const printable = /^[^\p{Cc}]+$/u;

const isText = (value: unknown, longest = longestText): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= longest && printable.test(value);

function checkUrl(parameter: string, value: unknown): void {
  if (value === undefined) return;
  const problem = isText(value, longestUrl)
    ? urlProblem(value.replaceAll(/\{\w+\}/g, "a"))
    : `it is ${tooLong(value, longestUrl) ?? "not a URL"}`;
  if (problem !== undefined) refuse(parameter, "the URL of an authorization server", problem);
}

/** What a value is that does not fit, without showing it: it may be a secret. */
export function otherThan(value: unknown, most: number = Number.POSITIVE_INFINITY): string {
  const long = tooLong(value, most);
  return long === undefined ? "something else" : `a text ${long}`;
}

const isScope = (value: unknown): boolean => isText(value, longestText) && !/\s/.test(value);

/** Scopes as a list. Throws `invalid_parameter`. */
export function validateScopes(parameter: string, given: unknown): readonly string[] {
  const isList = Array.isArray(given) && given.length <= maxScopes && given.every(isScope);
  return isList ? (given as string[]) : refuse(parameter, `a list of at most ${maxScopes} scopes`, "something else");
}

/** Errors never show what was given: it may be a secret. */
function checkClient(client: NewOAuthClient): void {
  const check =
    (name: keyof NewOAuthClient, expected: string, fits: (value: unknown) => boolean, most?: number): (() => void) =>
    () => {
      const value = client[name];
      if (value !== undefined && !fits(value)) refuse(`oauth.${name}`, expected, otherThan(value, most));
    };
  const url = (name: "issuer" | "authorizeUrl" | "tokenUrl" | "deviceUrl" | "revokeUrl") => (): void =>
    checkUrl(`oauth.${name}`, client[name]);
  const flag = (name: "pkce" | "issInResponse"): (() => void) =>
    check(name, "true or false", (value) => typeof value === "boolean");
  const oneOf = (name: "clientAuth" | "grant", expected: string, ...values: readonly unknown[]): (() => void) =>
    check(name, expected, (value) => values.includes(value));
  readEach({
    clientId: () =>
      isText(client.clientId) ||
      refuse("oauth.clientId", `a text of 1 to ${longestText} characters`, otherThan(client.clientId, longestText)),
    clientSecret: check(
      "clientSecret",
      `a text of at most ${longestSecret} characters`,
      (value) => value === "" || isText(value, longestSecret),
      longestSecret,
    ),
    service: check("service", "the name of a known service", (value) => findService(value as string) !== undefined),
    issuer: url("issuer"),
    authorizeUrl: url("authorizeUrl"),
    tokenUrl: url("tokenUrl"),
    deviceUrl: url("deviceUrl"),
    revokeUrl: url("revokeUrl"),
    scopes: () => client.scopes !== undefined && validateScopes("oauth.scopes", client.scopes),
    clientAuth: oneOf("clientAuth", "basic, post or none", "basic", "post", "none"),
    grant: oneOf("grant", "authorization_code or client_credentials", "authorization_code", "client_credentials"),
    pkce: flag("pkce"),
    issInResponse: flag("issInResponse"),
    scopeSeparator: check("scopeSeparator", "a space, a comma, a semicolon or a plus", (value) =>
      [" ", ",", ";", "+"].includes(value as string),
    ),
    authorizeParams: check("authorizeParams", `an object of at most ${maxParams} texts`, (value) => {
      const params = Object.entries(value as object);
      return params.length <= maxParams && params.every(([name, text]) => isText(name) && isText(text));
    }),
  });
}

function validateClient(given: unknown): { readonly client: OAuthClient; readonly secret: string } {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuse("oauth", "an object with the client's id", "something else");
  checkClient(given as NewOAuthClient);
  const { clientSecret = "", ...client } = given as NewOAuthClient;
  return { client, secret: clientSecret };
}

const longestName = 64;
const fieldName = /^[A-Za-z_]\w{0,63}$/;

function validateFields(given: unknown): readonly AppField[] {
  const expected = `a list of at most ${maxFields} fields, such as {"name": "api_key"}`;
  if (!Array.isArray(given) || given.length > maxFields) return refuse("fields", expected, "something else");
  return given.map((item: unknown): AppField => {
    const { name, label, secret } = Object(item) as Partial<AppField>;
    if (typeof name !== "string" || !fieldName.test(name)) {
      const long = tooLong(name, longestName);
      return refuse("fields", expected, long === undefined ? "a field without a name" : `a name ${long}`);
    }
    if (label !== undefined && !isText(label)) {
      return refuse("fields", expected, `a label that is ${tooLong(label, longestText) ?? "no text"}`);
    }
    if (secret !== undefined && typeof secret !== "boolean") return refuse("fields", expected, "a wrong secret");
    return { name, ...(label !== undefined && { label }), ...(secret !== undefined && { secret }) };
  });
}

/** The parts of addresses that a person has to fill in: none of them is secret. */
function partsOf(client: OAuthClient): readonly AppField[] {
  const service = findService(client.service ?? "");
  const names = new Set(addressesOf({ ...service?.server, ...client }).flatMap(namesIn));
  return [...names].map((name) => service?.fields?.find((field) => field.name === name) ?? { name, secret: false });
}

/** An app from what was given. Throws `invalid_parameter`, `missing_parameter`. */
export function validateNewApp({
  app,
  oauth,
  fields,
}: NewApp): Pick<AccountApp, "slug" | "oauth" | "clientSecret" | "fields"> {
  if (oauth === undefined && fields === undefined)
    throw new XError("missing_parameter", ["oauth", "a client for OAuth 2, or the fields of the app's keys"]);
  const given = readEach({
    slug: () => validateApp(app),
    oauth: () => (oauth === undefined ? undefined : validateClient(oauth)),
    fields: () => (fields === undefined ? undefined : validateFields(fields)),
  });
  if (!given.oauth) return { slug: given.slug, clientSecret: "", fields: given.fields ?? [] };
  const { client, secret } = given.oauth;
  const service = client.service ?? findService(given.slug)?.name;
  const named = { ...client, ...(service !== undefined && { service }) };
  return { slug: given.slug, oauth: named, clientSecret: secret, fields: given.fields ?? partsOf(named) };
}
