import type { NewSource } from "@x/client";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import { findComponentFiles } from "../arguments/component-files.ts";
import { envFileFlag, loadEnvFile } from "../arguments/env-file.ts";
import { parseChoice } from "../arguments/quantity.ts";
import { rootFlag } from "../arguments/runtime-flags.ts";
import { readFileOperands } from "../arguments/values.ts";
import { printResult } from "../client/output.ts";
import type { RestClient } from "../client/rest-client.ts";
import { readClient, serviceFlags } from "../client/service-flags.ts";
import { sourceLines } from "../client/shown-source.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { inLine } from "../terminal/visible.ts";
import { looksLikeWorkflow } from "./workflow-text.ts";
import { type ComponentBody, ofFile, readComponentBody } from "./component-body.ts";
import { readSourceInput, sourceInputFlags } from "./source-input.ts";

/** A source after a deploy. */
export type DeployedSource = NewSource;

const words = { created: "Created", updated: "Updated", unchanged: "Unchanged:" } as const;

/** A deployed source as lines. */
export const deployedLines = (source: DeployedSource): string[] => {
  const [first = "", ...rest] = sourceLines(source);
  return [`${words[source.change ?? "created"]} ${first}`, ...rest];
};

/** Flags of a deploy besides those for the service. */
export const deployFlags: readonly Flag[] = [
  { name: "name", value: "NAME", about: "name of the source (default: that of the component)" },
  ...sourceInputFlags,
  {
    name: "webhook-url",
    value: "URL",
    about: "send its events to this URL, with a new webhook or yours with that URL",
  },
  {
    name: "emit-on-deploy",
    value: "on|off",
    about: "whether events of the deploy hook of a new source are kept (default on)",
  },
  rootFlag,
];

/** The body of a deploy by name; `reference` are the members that name the component. */
export async function deployBody(
  client: RestClient,
  args: Arguments,
  reference: object,
  pairs: readonly string[],
): Promise<object> {
  const [name, webhookUrl] = [args.text("name"), args.text("webhook-url")];
  const emits = args.read("emit-on-deploy", (flag, text) => parseChoice(flag, text, ["on", "off", "true", "false"]));
  return {
    ...reference,
    if_exists: "update",
    ...(name !== undefined && { name }),
    ...(await readSourceInput(client, args, pairs)),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    ...(emits !== undefined && { emit_on_deploy: emits === "on" || emits === "true" }),
  };
}

/** Deploys a component under its name. */
export const deployOne = async (
  client: RestClient,
  args: Arguments,
  reference: object,
  pairs: readonly string[],
): Promise<DeployedSource> => client.ask("POST /sources", { body: await deployBody(client, args, reference, pairs) });

/** Asks the service about a deploy of the component of a file. */
export async function askOfFile<Answer>(
  ask: (reference: ComponentBody) => Promise<Answer>,
  file: string,
  root: string | undefined,
): Promise<Answer> {
  try {
    return await ask(await readComponentBody(file, root));
  } catch (error) {
    throw ofFile(error, file);
  }
}

/** Deploys the component of a file. */
export const deployFile = (
  client: RestClient,
  args: Arguments,
  file: string,
  pairs: readonly string[] = [],
): Promise<DeployedSource> =>
  askOfFile((reference) => deployOne(client, args, reference, pairs), file, args.text("root"));

/** The components among the operands, and the values of their props. Says on standard error what is left out. */
export function readComponents(
  args: Arguments,
  to: "deploy" | "compare",
): { readonly components: readonly string[]; readonly pairs: readonly string[] } {
  const { files: operands, pairs } = readFileOperands(args.operands);
  if (operands.length === 0) throw new UsageError("Which FILE or DIR?");
  const { files, skipped } = findComponentFiles(operands);
  for (const { file, why } of skipped) console.error(inLine(`${file}  skipped: ${why}`));
  const workflows = files.filter(looksLikeWorkflow);
  for (const file of workflows)
    console.error(inLine(`${file}  skipped: a workflow is registered by x serve --workflow ${file}`));
  const components = files.filter((file) => !workflows.includes(file));
  if (components.length === 0) throw new UsageError(`There is no component to ${to} in ${operands.join(" ")}`);
  const own = ["name", "props", "account"].find((flag) => args.has(flag)) ?? (pairs.length > 0 ? "props" : undefined);
  if (components.length > 1 && own !== undefined)
    throw new UsageError(`--${own} is for one FILE; for several, write their values in x.config.ts and run x apply`);
  return { components, pairs };
}

async function deploy(args: Arguments): Promise<number> {
  loadEnvFile(args);
  const { components, pairs } = readComponents(args, "deploy");
  const client = readClient(args);
  const deployed: DeployedSource[] = [];
  for (const file of components) {
    const source = await deployFile(client, args, file, pairs);
    deployed.push(source);
    if (!args.has("json")) printResult(args, source, deployedLines(source));
  }
  if (args.has("json")) printResult(args, components.length === 1 ? deployed[0] : deployed, "");
  return 0;
}

/** `x deploy`: deploys components to a running service, in place. */
export const deployCommand: Command = {
  operands: "FILE|DIR…",
  details: [
    "Sends each FILE with the files that it imports, in JavaScript or TypeScript; the service installs its npm packages, in",
    "the versions of package.json. A source that has the name of the component already, or that of --name, is updated: it",
    "keeps its id, db, events and endpoint, and props that are not given stay. Without a difference no hook runs.",
    "For a folder, x deploys every file in it that looks like a component; it skips tests, apps and workflows.",
    "${NAME} in a value is a variable of the environment or of the env file. Each is read by the type of the prop: a string as",
    "it is, yes and no as a boolean, a list by commas or repeated flags, an object as JSON; NAME:=JSON is JSON for every",
    "type. NAME=null removes a stored value, so that the default is taken; NAME= sets an empty text. A new default does not",
    "replace a stored value.",
  ].join("\n"),
  flags: [...deployFlags, envFileFlag, ...serviceFlags],
  examples: [
    "x deploy sources/orders.ts --to https://hooks.example.com",
    "x deploy sources/orders.ts --name orders-eu --props region=eu ids=1,2 --account acme=work",
    "x deploy sources/orders.ts --props @orders.json --props 'token=${ACME_TOKEN}' --env-file prod.env",
    "x deploy . --json",
  ],
  run: deploy,
};
