import { type AccountFields, listServices, readAccountFields } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { isFolder } from "../arguments/component-files.ts";
import { UsageError } from "../errors.ts";
import { exitCodes } from "../exit-code.ts";
import { inLine, jsonText } from "../terminal/visible.ts";

/** What a file of accounts has before it is filled in: the fields that the code reads, else the token of a known service. */
function templateOf(accounts: readonly AccountFields[], known: ReadonlySet<string>): Record<string, object> {
  const entries = accounts.map(({ app, fields }): [string, object] => {
    const names = fields.length === 0 && known.has(app) ? ["oauth_access_token"] : fields;
    return [app, Object.fromEntries(names.map((name) => [name, ""]))];
  });
  return Object.fromEntries(entries);
}

/** Prints an accounts file for the components of a folder; needs no service. */
export async function printTemplate(args: Arguments, folder: string): Promise<number> {
  if (!isFolder(folder)) throw new UsageError(`There is no folder ${inLine(folder)}`);
  const misplaced = ["to", "api-key"].find((flag) => args.has(flag));
  if (misplaced !== undefined)
    throw new UsageError(`x accounts template asks no service: --${misplaced} has no effect`);
  const known = new Set(listServices().map(({ name }) => name));
  const accounts = await readAccountFields(folder);
  console.log(jsonText(templateOf(accounts, known), 2));
  const connectable = accounts.filter(({ app }) => known.has(app)).map(({ app }) => app);
  const count = accounts.reduce((sum, { components }) => sum + components, 0);
  console.error(
    `${accounts.length} apps, used by ${count} components; fill in those that you have, and delete the others.`,
  );
  if (connectable.length > 0)
    console.error(`Or connect by OAuth 2 (x apps add APP --oauth, x accounts connect APP): ${connectable.join(", ")}`);
  return exitCodes.ok;
}
