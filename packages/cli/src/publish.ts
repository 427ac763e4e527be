import { relative } from "node:path";

import { createRuntime, findRoot, type PublishedComponent, type PublishInput } from "@x/runtime";

import type { Arguments } from "./arguments/arguments.ts";
import type { Command } from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodes } from "./exit-code.ts";
import { checkFile } from "./arguments/path.ts";
import { rootFlag } from "./arguments/runtime-flags.ts";
import { jsonText, safeText } from "./terminal/visible.ts";
import { UsageError } from "./errors.ts";

const defaultRegistry = "registry";

function readInput(args: Arguments): PublishInput {
  const [file, ...others] = args.operands;
  if (file === undefined) throw new UsageError("x publish needs the file of a component");
  checkFile(file);
  if (others.length > 0) throw new UsageError(`x publish takes one file, got ${args.operands.join(" ")}`);
  return {
    file,
    registry: args.text("registry") ?? environment.registry ?? defaultRegistry,
    force: args.has("force"),
    root: args.text("root") ?? findRoot(file),
  };
}

const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
};

function published({ key, version, change, file, files }: PublishedComponent): string {
  const done = { new: "Published", updated: "Published again", unchanged: "Already published, unchanged" }[change];
  const others = files.slice(1);
  return safeText(
    [
      `${done}: ${key} ${version}`,
      `  ${shortPath(file)}`,
      ...(others.length > 0 ? [`  with ${others.join(", ")}`] : []),
    ].join("\n"),
  );
}

async function publish(args: Arguments): Promise<number> {
  const input = readInput(args);
  await using runtime = await createRuntime({ workers: 1 });
  const done = await runtime.publish(input);
  console.log(args.has("json") ? jsonText(done, 2) : published(done));
  return exitCodes.ok;
}

/** `x publish`: copies a component to a registry. */
export const publishCommand: Command = {
  operands: "FILE",
  details: [
    "Checks the component, which must have a key, and copies it with the files it imports to DIR/<key>/. Every x serve",
    "with that registry finds it without a restart; deployed sources keep their version. A key that another folder of the",
    "registry has is an error.",
  ].join("\n"),
  flags: [
    {
      name: "registry",
      value: "DIR",
      about: `folder of the registry (default: X_REGISTRY, else ./${defaultRegistry})`,
    },
    rootFlag,
    { name: "force", about: "replace other files in DIR/<key>" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x publish sources/new-order.mjs --root . --registry ./registry",
    "x serve --registry ./registry",
    `curl -H "Authorization: Bearer KEY" http://127.0.0.1:7777/v1/components/registry/acme-new-order`,
  ],
  run: publish,
};
