import type { NewApp, NewOAuthClient } from "../api/account-api.ts";
import { XError } from "../model/errors.ts";
import type { AccountApp, AppField, OAuthClient } from "../model/account-app.ts";
import { findService } from "../oauth/services/find-service.ts";
import { addressesOf, namesIn, urlProblem } from "../oauth/server.ts";
import { refuse, validateApp } from "./account-input.ts";

const longestText = 512;
const longestSecret = 4_096;
const longestUrl = 2_048;
const mostFields = 32;
const mostScopes = 100;
const mostParams = 20;
const printable = /^[^\p{Cc}]+$/u;

const isText = (value: unknown, longest = longestText): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= longest && printable.test(value);

function checkUrl(parameter: string, value: unknown): void {
  if (value === undefined) return;
  const problem = isText(value, longestUrl) ? urlProblem(value.replaceAll(/\{\w+\}/g, "a")) : "it is not a URL";
  if (problem !== undefined) refuse(parameter, "the URL of an authorization server", problem);
}

const isScope = (value: unknown): boolean => isText(value, longestText) && !/\s/.test(value);

/** Scopes as a list. Throws `invalid_parameter`. */
export function validateScopes(parameter: string, given: unknown): readonly string[] {
  const isList = Array.isArray(given) && given.length <= mostScopes && given.every(isScope);
  return isList ? (given as string[]) : refuse(parameter, `a list of at most ${mostScopes} scopes`, "something else");
}

function checkChoices(client: NewOAuthClient): void {
  const { clientAuth, grant, pkce, issInResponse, scopeSeparator } = client;
  if (clientAuth !== undefined && !["basic", "post", "none"].includes(clientAuth))
    refuse("oauth.clientAuth", "basic, post or none", "something else");
  if (grant !== undefined && !["authorization_code", "client_credentials"].includes(grant))
    refuse("oauth.grant", "authorization_code or client_credentials", "something else");
  for (const [name, value] of [["pkce", pkce] as const, ["issInResponse", issInResponse] as const])
    if (value !== undefined && typeof value !== "boolean") refuse(`oauth.${name}`, "true or false", "something else");
  if (scopeSeparator !== undefined && ![" ", ",", ";", "+"].includes(scopeSeparator))
    refuse("oauth.scopeSeparator", "a space, a comma, a semicolon or a plus", "something else");
}

function validateClient(given: unknown): { readonly client: OAuthClient; readonly secret: string } {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuse("oauth", "an object with clientId", "something else");
  const { clientSecret = "", ...client } = given as NewOAuthClient;
  if (!isText(client.clientId)) refuse("oauth.clientId", `a text of 1 to ${longestText} characters`, "something else");
  if (clientSecret !== "" && !isText(clientSecret, longestSecret))
    refuse("oauth.clientSecret", `a text of at most ${longestSecret} characters`, "something else");
  if (client.service !== undefined && findService(client.service) === undefined)
    refuse("oauth.service", "the name of a known service (x apps services)", "an unknown one");
  for (const name of ["issuer", "authorizeUrl", "tokenUrl", "deviceUrl", "revokeUrl"] as const)
    checkUrl(`oauth.${name}`, client[name]);
  if (client.scopes !== undefined) validateScopes("oauth.scopes", client.scopes);
  checkChoices(client);
  const params = Object.entries(client.authorizeParams ?? {});
  if (params.length > mostParams || !params.every(([name, value]) => isText(name) && isText(value)))
    refuse("oauth.authorizeParams", `an object of at most ${mostParams} texts`, "something else");
  return { client, secret: clientSecret };
}

const fieldName = /^[A-Za-z_]\w{0,63}$/;

function validateFields(given: unknown): readonly AppField[] {
  const expected = `a list of at most ${mostFields} fields, such as {"name": "api_key"}`;
  if (!Array.isArray(given) || given.length > mostFields) return refuse("fields", expected, "something else");
  return given.map((item: unknown): AppField => {
    const { name, label, secret } = Object(item) as Partial<AppField>;
    if (typeof name !== "string" || !fieldName.test(name)) return refuse("fields", expected, "a field without a name");
    if (label !== undefined && !isText(label)) return refuse("fields", expected, "a label that is no text");
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
  const slug = validateApp(app);
  if (oauth === undefined && fields === undefined)
    throw new XError("missing_parameter", ["oauth", "a client for OAuth 2, or the fields of the app's keys"], {
      details: { parameter: "oauth" },
    });
  if (oauth === undefined) return { slug, clientSecret: "", fields: validateFields(fields) };
  const { client, secret } = validateClient(oauth);
  const service = client.service ?? findService(slug)?.name;
  const named = { ...client, ...(service !== undefined && { service }) };
  return {
    slug,
    oauth: named,
    clientSecret: secret,
    fields: fields === undefined ? partsOf(named) : validateFields(fields),
  };
}
