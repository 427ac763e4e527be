import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { createRuntime, findRoot } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { findComponentFiles } from "../arguments/component-files.ts";
import { rootFlag } from "../arguments/runtime-flags.ts";
import { findSourceId, listSources } from "../client/emitters.ts";
import { printResult } from "../client/output.ts";
import type { RestClient } from "../client/rest-client.ts";
import { readClient, serviceFlags } from "../client/service-flags.ts";
import type { Command } from "../command.ts";
import { type NamedEvents, printEventTypes } from "./event-types.ts";

/** What the components in files and folders say of their events. */
async function readFiles(operands: readonly string[], root: string | undefined): Promise<NamedEvents[]> {
  const { files } = findComponentFiles(operands);
  await using runtime = await createRuntime({ workers: 1 });
  const found: NamedEvents[] = [];
  for (const file of files) {
    const input = { file: resolve(file), root: resolve(root ?? findRoot(file)) };
    const { shape } = await runtime.saveComponent(input);
    const unknown = { schema: {}, from: "events" } as const;
    found.push({ name: shape.key ?? shape.name, ...(shape.emits ?? unknown), events: 0 });
  }
  return found;
}

/** What the events of these sources look like; without names, of all sources. */
async function readSources(client: RestClient, names: readonly string[]): Promise<NamedEvents[]> {
  const sources = names.length === 0 ? (await listSources(client)).toReversed() : [];
  const wanted = sources.map(({ id, name_slug: name }) => ({ id, name }));
  for (const name of names) wanted.push({ id: await findSourceId(client, name), name });
  const found: NamedEvents[] = [];
  for (const { id, name } of wanted)
    found.push({ name, ...(await client.ask("GET /sources/{id}/event_schema", { path: { id } })) });
  return found;
}

async function types(args: Arguments): Promise<number> {
  const [files = [], names = []] = [true, false].map((isFile) =>
    args.operands.filter((each) => existsSync(each) === isFile),
  );
  const found = files.length > 0 ? await readFiles(files, args.text("root")) : [];
  if (names.length > 0 || files.length === 0) found.push(...(await readSources(readClient(args), names)));
  return printResult(args, found, printEventTypes(found).trimEnd());
}

/** `x types`: prints the types of events. */
export const typesCommand: Command = {
  operands: "[FILE|SOURCE…]",
  details: [
    "The events of the components in FILE, which may be a folder, or of the source SOURCE of a service; without an operand of all",
    "sources. The type is what the component declares in emits; else that of the stored events of the source; else that of",
    "the component's sampleEmit. With --json it prints them as JSON Schema.",
  ].join("\n"),
  flags: [rootFlag, ...serviceFlags],
  examples: ["x types src/new-orders.ts > src/new-orders.events.ts", "x types new-orders", "x types --json"],
  run: types,
};
