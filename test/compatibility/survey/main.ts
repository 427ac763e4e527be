/** Surveys the packages, or those that are named as arguments, and renews SURVEY.md when all were. Exits 1 below the wanted share. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createEngine, type Engine } from "@x/runtime";

import { surveyFolder, writeComponent } from "./generated-component.ts";
import { viewInNode } from "./node-view.ts";
import { componentsOf } from "./packages.ts";
import { reasons } from "./reasons.ts";
import { viewInSandbox } from "./sandbox-view.ts";
import { lacksDefault } from "./view.ts";
import { loadingShare, type Surveyed, surveyTable } from "./table.ts";

const wantedShare = 0.994;

function versionOf(name: string): string {
  const file = join(surveyFolder, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

async function survey(name: string, engine: Engine): Promise<Surveyed> {
  const file = writeComponent(name);
  const node = await viewInNode(file);
  const whole = await viewInSandbox(file, engine);
  // Who imports the default export as well gets the files of Node.
  const sandbox = lacksDefault(node, whole)
    ? { ...whole, ...(await viewInSandbox(writeComponent(name, { withDefault: true }), engine)) }
    : whole;
  const reason = reasons[name];
  return {
    name,
    version: versionOf(name),
    components: componentsOf[name] ?? 0,
    node,
    sandbox,
    ...(reason && { reason }),
  };
}

const named = process.argv.slice(2);
// The survey is about what loads; what it costs is in the table.
const engine = await createEngine({ workers: 1, limits: { bundleTimeoutMs: 60_000, describeTimeoutMs: 60_000 } });
const all: Surveyed[] = [];
try {
  for (const name of named.length > 0 ? named : Object.keys(componentsOf)) {
    const surveyed = await survey(name, engine);
    all.push(surveyed);
    const failure = "failure" in surveyed.sandbox ? `: ${surveyed.sandbox.failure}` : "";
    process.stderr.write(`${failure === "" ? "loads" : "fails"} ${name}${failure}\n`);
  }
} finally {
  await engine.close();
  rmSync(join(surveyFolder, ".tmp"), { recursive: true, force: true });
}
const table = surveyTable(all);
if (named.length === 0) writeFileSync(join(surveyFolder, "SURVEY.md"), table);
else process.stdout.write(table);
const share = loadingShare(all);
process.stderr.write(`${(share * 100).toFixed(2)} % load\n`);
if (named.length === 0 && share < wantedShare) process.exitCode = 1;
