import { readFileSync } from "node:fs";

import type { Json } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { checkFile } from "../arguments/path.ts";
import { isPair, parseProps } from "../arguments/values.ts";
import { messageOf, ServiceError, UsageError } from "../errors.ts";
import { columns, printResult } from "./output.ts";
import { findSourceId, listSources, type ShownSource } from "./emitters.ts";
import { pathOf, type RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { sourceLines, sourceRow } from "./shown-source.ts";
import { readSubcommand, rejectFlags, type Subcommands } from "./subcommand.ts";

type Subcommand = "ls" | "show" | "deploy" | "pause" | "resume" | "rm";

const subcommands: Subcommands<Subcommand> = {
  ls: [],
  show: ["ID"],
  deploy: ["[FILE]", "[NAME=VALUE…]"],
  pause: ["ID"],
  resume: ["ID"],
  rm: ["ID"],
};

const relativeImport = /\bfrom\s*["']\.{1,2}\/|\bimport\s*\(?\s*["']\.{1,2}\/|\brequire\s*\(\s*["']\.{1,2}\//;

/** Whether code seems to import other files of the project. */
export const importsFiles = (code: string): boolean => relativeImport.test(code);

function readCode(file: string): string {
  checkFile(file);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`The file ${file} cannot be read: ${messageOf(error)}`);
  }
}

/** A refusal for an import that only a file system can follow, with what can be done. */
function explainImports(error: unknown, file: string, code: string): unknown {
  if (!(error instanceof ServiceError) || error.code !== "bundle_failed" || !importsFiles(code)) return error;
  const text =
    `${file} imports other files, and a service only gets the text of ${file}. Either publish it with its imports ` +
    `(x publish ${file} --root DIR --registry DIR) and deploy it by its key (x sources deploy --key KEY), ` +
    `or give it to x serve or x dev, which read files.\n${error.message}`;
  return new ServiceError({ error: text, code: error.code, details: error.details });
}

async function deploy(client: RestClient, args: Arguments, operands: readonly string[]): Promise<ShownSource> {
  const key = args.text("key");
  const [file, extra] = operands.filter((operand) => !isPair(operand));
  if (extra !== undefined) throw new UsageError(`One FILE at a time; "${extra}" is one too many`);
  if ((file === undefined) === (key === undefined)) throw new UsageError("Either FILE or --key KEY");
  const code = file === undefined ? undefined : readCode(file);
  const props: { [prop: string]: Json } = parseProps([...args.all("props"), ...operands.filter(isPair)]);
  const name = args.text("name");
  const webhookUrl = args.text("webhook-url");
  const body = {
    ...(code === undefined ? { key } : { component_code: code }),
    ...(name !== undefined && { name }),
    configured_props: props,
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  };
  try {
    return await client.ask<ShownSource>("POST", "/sources", body);
  } catch (error) {
    throw explainImports(error, file ?? "", code ?? "");
  }
}

async function sources(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("sources", subcommands, args);
  const [operand] = operands;
  if (subcommand !== "deploy") rejectFlags(args, "x sources deploy", ["key", "name", "props", "webhook-url"]);
  if (subcommand !== "rm") rejectFlags(args, "x sources rm", ["force"]);
  const client = readClient(args);
  if (subcommand === "ls") {
    const found = await listSources(client);
    return printResult(args, found, columns(found.map(sourceRow)));
  }
  if (subcommand === "deploy") {
    const source = await deploy(client, args, operands);
    return printResult(args, source, sourceLines(source));
  }
  const id = await findSourceId(client, operand ?? "");
  const path = pathOf("sources", id);
  if (subcommand === "rm") {
    await client.ask("DELETE", `${path}${args.has("force") ? "?ignore_hook_errors=true" : ""}`);
    return printResult(args, { id, deleted: true }, `Deleted ${id}`);
  }
  const source = await (subcommand === "show"
    ? client.ask<ShownSource>("GET", path)
    : client.ask<ShownSource>("PATCH", path, { active: subcommand === "resume" }));
  return printResult(args, source, sourceLines(source));
}

/** `x sources`: the sources of a running service. */
export const sourcesCommand: Command = {
  name: "sources",
  operands: "ls | show ID | deploy FILE | pause ID | resume ID | rm ID",
  about: "List, deploy, pause and remove sources of a service",
  details: [
    "ID is the id or the name of a source. deploy sends the text of one file. A component that imports other files can be",
    "published (x publish) and deployed by its key, or served with x serve or x dev. A paused source keeps its events, db",
    "and endpoint, but its timer and endpoint do not start it. rm removes a source with its events and its db.",
  ].join("\n"),
  flags: [
    { name: "name", value: "NAME", about: "deploy: name of the source (default: that of the component)" },
    { name: "props", value: "NAME=VALUE", about: "deploy: a prop's value, as JSON or as text; may be repeated" },
    { name: "key", value: "KEY", about: "deploy: key of a saved or published component, instead of FILE" },
    {
      name: "webhook-url",
      value: "URL",
      about: "deploy: send its events to this URL, with a new webhook or yours with that URL",
    },
    { name: "force", about: "rm: even when its deactivate hook fails" },
    ...serviceFlags,
  ],
  examples: [
    "x sources ls",
    "x sources deploy examples/http-inbox/http-inbox.js --name inbox",
    "x sources show inbox --json",
    "x sources pause inbox",
    "x sources resume inbox",
    "x sources rm inbox",
  ],
  run: sources,
};
