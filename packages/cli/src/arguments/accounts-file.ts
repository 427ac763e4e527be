import { readFileSync } from "node:fs";

import type { ComponentShape, Json, PropShape } from "@x/runtime";

import type { Flag } from "./arguments.ts";
import { UsageError } from "../errors.ts";

export const accountsFlag: Flag = {
  name: "accounts",
  value: "FILE",
  about: `credentials ($auth) by app, as JSON: {"acme": {"token": "…"}}`,
};

/** Credentials (`$auth`) by app, or by app prop when two props have the same app. */
export type AccountsByApp = { readonly [appOrProp: string]: { readonly [field: string]: Json } };

const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isAccounts = (value: unknown): value is AccountsByApp => isObject(value) && Object.values(value).every(isObject);

/** The reason without the parser's message, which may quote the secret text. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (!(error instanceof SyntaxError)) return message;
  return ["it is not JSON", ...(/\(line \d+ column \d+\)/.exec(message) ?? [])].join(" ");
}

/** Reads accounts from a file: every user of the machine can read a command line. Throws `UsageError`. */
export function readAccounts(flag: string, path: string): AccountsByApp {
  const expected = `--${flag} needs a JSON file such as {"acme": {"token": "…"}}`;
  let accounts: unknown;
  try {
    accounts = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`${expected}; ${path}: ${reasonOf(error)}`);
  }
  if (!isAccounts(accounts)) throw new UsageError(`${expected}; ${path} is other JSON`);
  return accounts;
}

type Shape = Pick<ComponentShape, "props">;

/** Most unused accounts that a warning names. */
const maxNamed = 3;

/** An app prop and its credentials. */
export interface AccountChoice {
  readonly prop: string;
  readonly app: string;
  /** The key in the accounts. */
  readonly key: string;
}

const appsOf = ({ props }: Shape): readonly PropShape[] => props.filter(({ type }) => type === "app");

/** The app props for which there are accounts. */
export const accountChoices = (shape: Shape, accounts: AccountsByApp): AccountChoice[] =>
  appsOf(shape).flatMap(({ name, app = "" }) => {
    const key = [name, app].find((each) => Object.hasOwn(accounts, each));
    return key === undefined ? [] : [{ prop: name, app, key }];
  });

/**
 * The warning for accounts that no app prop uses; undefined without any: a file may have the accounts of a whole folder.
 * `who` begins the message, such as "Orders has".
 */
export function unusedAccounts(who: string, shapes: readonly Shape[], accounts: AccountsByApp): string | undefined {
  const apps = shapes.flatMap(appsOf);
  const unknown = Object.keys(accounts).filter((key) => !apps.some(({ name, app }) => key === name || key === app));
  if (unknown.length === 0) return undefined;
  const names = [...new Set(apps.map(({ app }) => app))];
  const takes = names.length === 0 ? "no app props" : `the apps ${names.join(", ")}`;
  const named = unknown.slice(0, maxNamed).map((each) => `"${each}"`);
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : "";
  return `--accounts has ${named.join(", ")}${more}, but ${who} ${takes}`;
}

/** Values of the app props that have accounts. */
export const accountProps = (shape: ComponentShape, accounts: AccountsByApp): { [prop: string]: Json } =>
  Object.fromEntries(
    accountChoices(shape, accounts).map(({ prop, key }): [string, Json] => [prop, { authProvisionId: key }]),
  );

/** The required app props without an account; their `$auth` is empty. */
export const propsWithoutAccount = (
  { props }: Shape,
  values: { readonly [prop: string]: unknown },
): readonly PropShape[] =>
  props.filter(({ name, type, optional }) => type === "app" && optional !== true && !values[name]);
