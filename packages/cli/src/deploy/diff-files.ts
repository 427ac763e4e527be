import type { DeployComparison } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import { stepText } from "../apply/plan-text.ts";
import type { RestClient } from "../client/rest-client.ts";
import { readClient } from "../client/service-flags.ts";
import { exitCodes } from "../exit-code.ts";
import { inLine, jsonText } from "../terminal/visible.ts";
import { askOfFile, deployBody, readComponents } from "./deploy.ts";

/** A difference with its warnings as lines; none when there is none. */
function linesOfOne({ change, id, name_slug: name, changes, warnings = [] }: DeployComparison): string[] {
  if (change === "unchanged") return [];
  const step = { kind: "source", name, changes } as const;
  const line = stepText(id === null ? { ...step, action: "create" } : { ...step, action: "update", id });
  return [line, ...warnings.map(({ rule, message }) => `  warning: ${message} (${rule})`)];
}

function linesOf(differences: readonly DeployComparison[], { where }: RestClient): string[] {
  const names = differences.map(({ name_slug: name }) => name).join(", ");
  const lines = differences.flatMap(linesOfOne);
  if (lines.length === 0) return [`Nothing to do: ${where} has ${names} as it is here.`];
  const count = (change: DeployComparison["change"]): number =>
    differences.filter((each) => each.change === change).length;
  return [
    `${where}:`,
    ...lines.map((line) => `  ${line}`),
    `${count("created")} to create, ${count("updated")} to update, ${count("unchanged")} unchanged.`,
  ];
}

/** Shows what `x deploy` with these arguments would change. */
export async function diffFiles(args: Arguments): Promise<number> {
  const { components, pairs } = readComponents(args, "compare");
  const client = readClient(args);
  const found: (DeployComparison & { readonly file: string })[] = [];
  for (const file of components) {
    const ask = async (reference: object): Promise<DeployComparison> =>
      client.ask("POST /sources/compare", { body: await deployBody(client, args, reference, pairs) });
    found.push({ file, ...(await askOfFile(ask, file, args.text("root"))) });
  }
  if (args.has("json")) console.log(jsonText(found.length === 1 ? found[0] : found, 2));
  else for (const line of linesOf(found, client)) console.log(inLine(line));
  return args.has("check") && found.some(({ change }) => change !== "unchanged") ? exitCodes.component : exitCodes.ok;
}
