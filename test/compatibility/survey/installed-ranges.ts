import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { AskedRange } from "./asked-ranges.ts";
import { generatedFolder } from "./generated-component.ts";

/** A package to survey: several of one name have folders of different names. */
export interface SurveyedPackage {
  readonly name: string;
  readonly components: number;
  /** What the generated component imports. */
  readonly specifier: string;
}

/** Installs packages in these ranges beside the generated components. */
export function installRanges(asked: readonly AskedRange[]): readonly SurveyedPackage[] {
  const packages = asked.map(({ name, range, components }, index) => ({
    name,
    range,
    components,
    specifier: `${name}__${index}`,
  }));
  const dependencies = Object.fromEntries(
    packages.map(({ specifier, name, range }) => [specifier, `npm:${name}@${range}`]),
  );
  mkdirSync(generatedFolder, { recursive: true });
  writeFileSync(join(generatedFolder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  execFileSync("npm", ["install", ...flags], {
    cwd: generatedFolder,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  return packages;
}
