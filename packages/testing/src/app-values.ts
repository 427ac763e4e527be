import type { ComponentShape } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import type { AccountValue } from "./prop-values.ts";
import type { Accounts } from "./source-options.ts";
import { shown } from "./shown.ts";

/** Gives the app props their accounts. Throws when one has none, and for accounts that no prop takes. */
export function appValues(
  shape: ComponentShape,
  accounts: Accounts,
  given: object,
): { readonly [prop: string]: AccountValue } {
  const apps = shape.props.filter(({ type }) => type === "app");
  const known = new Set(apps.flatMap(({ name, app = "" }) => [name, app]));
  const unknown = Object.keys(accounts).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const takes = apps.length === 0 ? "it has no app props" : `its apps are ${apps.map(({ app }) => app).join(", ")}`;
    throw new HarnessError(`accounts names ${unknown.join(", ")}, which no prop of ${shape.name} takes: ${takes}.`);
  }
  const values: { [prop: string]: AccountValue } = {};
  for (const { name, app = "", optional } of apps) {
    const account = [name, app].find((each) => Object.hasOwn(accounts, each));
    if (account !== undefined) values[name] = { authProvisionId: account };
    else if (!Object.hasOwn(given, name) && optional !== true)
      throw new HarnessError(
        `Prop "${name}" needs an account of the app "${app}": add accounts: { ${shown(app)}: { … } } with the fields that $auth gives.`,
      );
  }
  return values;
}
