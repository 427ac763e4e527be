/**
 * Surveys the packages, or those that are named as arguments, and renews SURVEY.md when all were. `--folder DIR`: those that
 * the components of a folder import, in the ranges that its package.json files ask for. Exits 1 below the wanted share.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { createEngine, type Engine } from "@x/runtime";

import { askedRanges } from "./asked-ranges.ts";
import { generatedFolder, surveyFolder, writeComponent } from "./generated-component.ts";
import { installRanges, type SurveyedPackage } from "./installed-ranges.ts";
import { viewInNode } from "./node-view.ts";
import { allComponents, componentsOf } from "./packages.ts";
import { reasons } from "./reasons.ts";
import { viewInSandbox } from "./sandbox-view.ts";
import { lacksDefault } from "./view.ts";
import { loadingShare, type Surveyed, surveyTable } from "./table.ts";

const wantedShare = 0.994;

function versionOf(specifier: string): string {
  const files = [generatedFolder, surveyFolder].map((folder) =>
    join(folder, "node_modules", specifier, "package.json"),
  );
  const file = files.find((each) => existsSync(each)) ?? "";
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

async function survey(surveyed: SurveyedPackage, engine: Engine): Promise<Surveyed> {
  const { name, components, specifier } = surveyed;
  const file = writeComponent(surveyed);
  const node = await viewInNode(file);
  const whole = await viewInSandbox(file, engine);
  // Who imports the default export as well gets the files of Node.
  const sandbox = lacksDefault(node, whole)
    ? { ...whole, ...(await viewInSandbox(writeComponent(surveyed, { withDefault: true }), engine)) }
    : whole;
  const reason = reasons[name];
  return {
    name,
    version: versionOf(specifier),
    components,
    node,
    sandbox,
    ...(reason && { reason }),
  };
}

const { positionals: named, values } = parseArgs({ allowPositionals: true, options: { folder: { type: "string" } } });
const ranges = values.folder === undefined ? undefined : askedRanges(resolve(values.folder));
const packages = ranges
  ? installRanges(ranges)
  : (named.length > 0 ? named : Object.keys(componentsOf)).map((name): SurveyedPackage => ({
      name,
      components: componentsOf[name] ?? 0,
      specifier: name,
    }));
const isWhole = !ranges && named.length === 0;
// The survey is about what loads; what it costs is in the table.
const engine = await createEngine({ workers: 1, limits: { bundleTimeoutMs: 60_000, describeTimeoutMs: 60_000 } });
const all: Surveyed[] = [];
try {
  for (const each of packages) {
    const surveyed = await survey(each, engine);
    all.push(surveyed);
    const failure = "failure" in surveyed.sandbox ? `: ${surveyed.sandbox.failure}` : "";
    process.stderr.write(`${failure === "" ? "loads" : "fails"} ${surveyed.name} ${surveyed.version}${failure}\n`);
  }
} finally {
  await engine.close();
  rmSync(generatedFolder, { recursive: true, force: true });
}
const total = ranges ? ranges.reduce((sum, { components }) => sum + components, 0) : allComponents;
const table = surveyTable(all, total);
if (isWhole) writeFileSync(join(surveyFolder, "SURVEY.md"), table);
else process.stdout.write(table);
const share = loadingShare(all, total);
process.stderr.write(`${(share * 100).toFixed(2)} % load\n`);
if ((isWhole || ranges) && share < wantedShare) process.exitCode = 1;
