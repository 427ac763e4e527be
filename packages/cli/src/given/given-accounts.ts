import { readFileSync } from "node:fs";

import type { ComponentShape, Json, PropShape } from "@x/runtime";

import { UsageError } from "./usage-error.ts";

/** Credentials by app, or by app prop when two props have the same app: what `$auth` gives. */
export type GivenAccounts = { readonly [appOrProp: string]: Json };

const isObject = (value: unknown): value is GivenAccounts =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads them from a file: on the command line every user of the machine could read them. */
export function readAccounts(flag: string, path: string): GivenAccounts {
  const expected = `--${flag} needs a JSON file such as {"acme": {"token": "…"}}`;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`${expected}; ${path}: ${error instanceof Error ? error.message : ""}`);
  }
  if (!isObject(given) || !Object.values(given).every(isObject))
    throw new UsageError(`${expected}; ${path} is other JSON`);
  return given;
}

/** Values of the app props that the accounts are for. Throws when one is for none. */
export function accountProps(
  { name: component, props }: ComponentShape,
  accounts: GivenAccounts,
): { [prop: string]: Json } {
  const apps = props.filter(({ type }) => type === "app");
  const stray = Object.keys(accounts).find((key) => !apps.some(({ name, app }) => key === name || key === app));
  if (stray !== undefined) {
    const takes = apps.length === 0 ? "has no app props" : `has the apps ${apps.map(({ app }) => app).join(", ")}`;
    throw new UsageError(`--accounts has "${stray}", but ${component} ${takes}`);
  }
  return Object.fromEntries(
    apps.flatMap(({ name, app = "" }): [string, Json][] => {
      const key = [name, app].find((each) => Object.hasOwn(accounts, each));
      return key === undefined ? [] : [[name, { authProvisionId: key }]];
    }),
  );
}

/** The app props that must have an account and have none, so that their `$auth` is empty. */
export const propsWithoutAccount = (
  { props }: Pick<ComponentShape, "props">,
  values: { readonly [prop: string]: unknown },
): readonly PropShape[] =>
  props.filter(({ name, type, optional }) => type === "app" && optional !== true && !values[name]);
