import type { ComponentShape, ComponentWarning } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import type { AccountValue } from "./prop-values.ts";
import type { Accounts } from "./source-options.ts";
import { shown } from "./shown.ts";

export interface AppValues {
  readonly values: { readonly [prop: string]: AccountValue };
  /** Of each prop that needs an account and has none: its `$auth` is empty (S36). */
  readonly warnings: readonly ComponentWarning[];
}

/** Gives the app props their accounts. Throws for accounts that no prop takes. */
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
        message: `Prop "${name}" has no account of the app "${app}", so that its $auth is empty: add accounts: { ${shown(app)}: { … } } with the fields that $auth gives`,
      });
  }
  return { values, warnings };
}
