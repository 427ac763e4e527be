import { relative } from "node:path";

import { createRuntime, type PublishedComponent, type PublishInput, XError } from "@x/runtime";

import type { Arguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { failureJson } from "./failure.ts";
import { safeText } from "./terminal-text.ts";
import { UsageError } from "./usage-error.ts";

const defaultRegistry = "registry";

function readInput(given: Arguments): PublishInput {
  const [file, ...others] = given.operands;
  if (file === undefined) throw new UsageError("x publish needs the file of a component");
  if (others.length > 0) throw new UsageError(`x publish takes one file, got ${given.operands.join(" ")}`);
  const root = given.text("root");
  return {
    file,
    registry: given.text("registry") ?? environment.registry ?? defaultRegistry,
    force: given.has("force"),
    ...(root !== undefined && { root }),
  };
}

const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
};

function published({ key, version, change, file, files }: PublishedComponent): string {
  const done = { new: "Published", updated: "Published again", unchanged: "Published before, unchanged" }[change];
  const others = files.slice(1);
  return safeText(
    [
      `${done}: ${key} ${version}`,
      `  ${shortPath(file)}`,
      ...(others.length > 0 ? [`  with ${others.join(", ")}`] : []),
    ].join("\n"),
  );
}

async function publish(given: Arguments): Promise<number> {
  const input = readInput(given);
  const json = given.has("json");
  try {
    await using runtime = await createRuntime({ workers: 1 });
    const done = await runtime.publish(input);
    console.log(json ? JSON.stringify(done, null, 2) : published(done));
    return exitCodes.ok;
  } catch (error) {
    if (!json || !XError.is(error)) throw error;
    const exitCode = exitCodeOf(error);
    console.log(JSON.stringify(failureJson(error, exitCode), null, 2));
    return exitCode;
  }
}

/** `x publish`: a component into a registry. */
export const publishCommand: Command = {
  name: "publish",
  operands: "FILE",
  about: "Publish a component in a registry",
  details: [
    "Checks the component, which must have a key, and copies it with the files it imports to DIR/<key>/. Every x serve",
    "with that registry has it from then on, without a restart; sources keep the version they were deployed with.",
    "A key that another place in the registry has is refused.",
  ].join("\n"),
  flags: [
    {
      name: "registry",
      value: "DIR",
      about: `folder of the registry (default: X_REGISTRY, else ./${defaultRegistry})`,
    },
    { name: "root", value: "DIR", about: "folder that its imports stay in (default: the folder of FILE)" },
    { name: "force", about: "also when DIR/<key> has other files" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x publish sources/new-order.mjs --root . --registry ./registry",
    "x serve --registry ./registry",
    `curl -H "Authorization: Bearer KEY" http://127.0.0.1:7777/v1/components/registry/acme-new-order`,
  ],
  run: publish,
};
