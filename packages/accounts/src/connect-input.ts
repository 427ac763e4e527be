import type { AccountRecords } from "./account-records.ts";
import { validateName } from "./account-input.ts";
import { otherThan, validateScopes } from "./app-input.ts";
import type { Apps } from "./apps.ts";
import type { Wanted } from "./attempts.ts";
import type { ConnectInput } from "./contract.ts";
import { XError, tooLong, type Account, type AccountApp } from "@x/model";
import { addressesOf, isUrlPart, namesIn, serverOf, serviceOf, urlProblem } from "./oauth/server.ts";

const longestValue = 8_192;
const longestUrl = 16_384;

type Fields = { readonly [name: string]: string };

/** Throws `invalid_parameter`, without the value. */
export function refuse(parameter: string, expected: string, got: string): never {
  throw new XError("invalid_parameter", [parameter, expected, got]);
}

const isValue = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= longestValue;

/** The values of fields of the app. Names that the app does not have are refused. */
function readFields({ fields }: AccountApp, given: unknown): Fields {
  if (given === undefined) return {};
  const names = fields.map(({ name }) => name);
  const expected = names.length === 0 ? "absent: the app has no fields" : `an object with ${names.join(", ")}`;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return refuse("fields", expected, "something else");
  const values = Object.entries(given);
  const unknown = values.find(([name]) => !names.includes(name));
  if (unknown) refuse("fields", expected, JSON.stringify(unknown[0].slice(0, 60)));
  const wrong = values.find(([, value]) => !isValue(value));
  if (wrong)
    refuse(`fields.${wrong[0]}`, `a text of 1 to ${longestValue} characters`, otherThan(wrong[1], longestValue));
  return Object.fromEntries<string>(values);
}

function checkComplete({ slug, fields }: AccountApp, given: Fields): void {
  const missing = fields.find(({ name }) => given[name] === undefined);
  if (!missing) return;
  throw new XError("missing_parameter", [`fields.${missing.name}`, `needed to connect an account of ${slug}`]);
}

/** Fields that are parts of addresses may not lead anywhere else. */
function checkParts(app: AccountApp, fields: Fields): void {
  const parts = new Set(addressesOf({ ...serviceOf(app)?.server, ...app.oauth }).flatMap(namesIn));
  const wrong = Object.entries(fields).find(([name, value]) => parts.has(name) && !isUrlPart(value));
  if (wrong) refuse(`fields.${wrong[0]}`, "a part of a host name: letters, digits, dots and hyphens", "something else");
}

/** The parts of addresses that the account had: a person who connects it again is not asked for them. */
function keptFields({ fields, oauth }: AccountApp, before: Account | undefined): Fields {
  if (!oauth || !before) return {};
  const kept = fields.map(({ name }): [string, unknown] => [name, before.auth[name]]);
  return Object.fromEntries(kept.filter((entry): entry is [string, string] => isValue(entry[1])));
}

/** Where an authorization server may send a browser. Throws `invalid_parameter`. */
export function checkRedirect(given: unknown): string {
  const isUrl = typeof given === "string" && given.length <= longestUrl && URL.canParse(given);
  const problem = isUrl ? urlProblem(given) : `it is ${tooLong(given, longestUrl) ?? "not a URL"}`;
  return isUrl && problem === undefined ? given : refuse("redirectUri", "a URL without a fragment", problem ?? "");
}

/** The parameters of an authorization response. Throws `invalid_parameter`. */
export function parseResponse(url: unknown): URLSearchParams {
  if (typeof url === "string" && url.length <= longestUrl && URL.canParse(url)) return new URL(url).searchParams;
  return refuse("url", "the URL to which the authorization server sent the browser", otherThan(url, longestUrl));
}

/** Reads what somebody wants to connect. Rejects with `not_found`, `invalid_parameter`, `missing_parameter`. */
export async function readWanted(
  input: ConnectInput,
  userId: string,
  { records, apps }: { readonly records: Pick<AccountRecords, "own">; readonly apps: Pick<Apps, "own"> },
): Promise<Wanted> {
  const { accountId, name, scopes } = input;
  const before = accountId === undefined ? undefined : await records.own(accountId, userId);
  const slug = before?.app ?? input.app;
  if (slug === undefined) throw new XError("missing_parameter", ["app", "the slug of an app, or the id of an account"]);
  if (input.app !== undefined && input.app !== slug) refuse("app", `"${slug}", the app of the account`, "another one");
  const app = await apps.own(slug, userId);
  const fields = { ...keptFields(app, before), ...readFields(app, input.fields) };
  checkComplete(app, fields);
  checkParts(app, fields);
  const server = serverOf(app, fields);
  if (app.oauth && !server) refuse("fields", "the parts of the addresses of the app", "an address that is no URL");
  const asked = scopes === undefined ? {} : { scopes: validateScopes("scopes", scopes) };
  return {
    userId,
    app,
    fields,
    ...(server && { server: { ...server, ...asked } }),
    ...(accountId !== undefined && { accountId }),
    ...(name !== undefined && { name: validateName(name) }),
  };
}
