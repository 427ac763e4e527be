import type { ComponentShape, ComponentWarning } from "@x/runtime";

import type { AccountValue } from "./component-types.ts";
import { HarnessError } from "./harness-error.ts";
import { shown } from "./shown.ts";
import type { Accounts, SourceOptions } from "./source-options.ts";

export interface AppValues {
  readonly values: { readonly [prop: string]: AccountValue };
  /** One for each required app prop without an account: its `$auth` is empty. */
  readonly warnings: readonly ComponentWarning[];
}

/** Gives the app props their accounts. Throws for an account that no prop takes. */
export function appValues(shape: ComponentShape, accounts: Accounts, given: object): AppValues {
  const apps = shape.props.filter(({ type }) => type === "app");
  const known = new Set(apps.flatMap(({ name, app = "" }) => [name, app]));
  const unknown = Object.keys(accounts).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const takes = apps.length === 0 ? "it has no app props" : `its apps are ${apps.map(({ app }) => app).join(", ")}`;
    throw new HarnessError(`accounts names ${unknown.join(", ")}, which no prop of ${shape.name} takes: ${takes}.`);
  }
  const values: { [prop: string]: AccountValue } = {};
  const warnings: ComponentWarning[] = [];
  for (const { name, app = "", optional } of apps) {
    const account = [name, app].find((each) => Object.hasOwn(accounts, each));
    if (account !== undefined) values[name] = { authProvisionId: account };
    else if (!Object.hasOwn(given, name) && optional !== true)
      warnings.push({
        rule: "missing-account",
        path: `/props/${name}`,
        message: `Prop "${name}" has no account of the app "${app}", so its $auth is empty: add accounts: { ${shown(app)}: { … } } with the fields of $auth`,
      });
  }
  return { values, warnings };
}

/** Shorter values, in characters, are not treated as secrets: they occur in other text by chance. */
export const shortestSecret = 6;

const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

/** The secrets that a test gives: credentials of accounts and values of secret props. */
export function secretsOf({ props }: Pick<ComponentShape, "props">, given: SourceOptions): string[] {
  const values = given.props ?? {};
  const secret = props.filter((prop) => prop.secret === true).map(({ name }) => values[name]);
  return [...secret, given.accounts].flatMap(textsOf).filter(({ length }) => length >= shortestSecret);
}
