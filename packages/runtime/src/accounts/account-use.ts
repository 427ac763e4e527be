import { type Problem, XError } from "../model/errors.ts";
import type { Account, Component, Json, Source } from "../model/model.ts";

const mostNamed = 10;

/** A source that is about to use accounts. */
export interface AccountUse {
  readonly source: Source;
  readonly component: Component;
  /** Props whose account was chosen just now. */
  isChosen(prop: string): boolean;
  /** A prop that must have an account and has none is a problem (S36): it is about to run. */
  readonly mustBeComplete?: true;
}

const pointer = (name: string): string => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The account that a value of an app prop names. */
export function accountId(value: Json | undefined): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const id = value["authProvisionId"];
  return typeof id === "string" ? id : undefined;
}

/** What refusals say of a source. */
export type NamedSource = Pick<Source, "id" | "name">;

/** Says which sources stand against deleting an account. */
export function inUse(id: string, sources: readonly NamedSource[]): XError {
  const named = sources.slice(0, mostNamed).map((source) => `${source.id} (${source.name})`);
  const rest = sources.length - named.length;
  const text = `${sources.length === 1 ? "source" : "sources"} ${named.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
  return new XError("account_in_use", [id, text], {
    details: { sources: sources.map(({ id, name }) => ({ id, name })) },
  });
}

/** Why an app prop cannot be configured so; nothing tells a foreign account from one that does not exist (S27). */
export function problemOf(
  prop: { name: string; app: string; id: string },
  account: Account | undefined,
): Problem | undefined {
  if (account?.app === prop.app) return undefined;
  const wanted = `Prop "${prop.name}" needs an account of app "${prop.app}"`;
  const message = account
    ? `${wanted}; account "${prop.id}" is of app "${account.app}"`
    : `${wanted}; there is no account "${prop.id}" of that app`;
  return { path: `/configured_props${pointer(prop.name)}`, message };
}

/** Why an app prop cannot be left without an account (R044, S36). */
export const missingAccount = (name: string, app: string): Problem => ({
  path: `/configured_props${pointer(name)}`,
  message: `Prop "${name}" is missing; expected an account of app "${app}", as {"authProvisionId": "apn_…"}`,
});
