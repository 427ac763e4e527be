// `npm run release:version`: makes a version of the changesets. Every package gets it, and CHANGELOG.md its heading.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readChangeset, releaseChangelog } from "./changelog.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");
const versionOf = (path) => JSON.parse(read(path)).version;
const edit = (path, from, to) =>
  writeFileSync(
    join(root, path),
    read(path).replace(from, () => to),
  );

const changes = globSync(".changeset/*.md", { cwd: root })
  .toSorted()
  .filter((path) => !path.endsWith("README.md"))
  .map((path) => readChangeset(read(path)));
if (changes.length === 0) {
  console.error("There is no changeset: npm run changeset makes one");
  process.exit(1);
}
execFileSync(process.execPath, [join(root, "node_modules/@changesets/cli/bin.js"), "version"], {
  cwd: root,
  stdio: "inherit",
});
const version = versionOf("packages/cli/package.json");
edit("package.json", /"version": "[^"]+"/, `"version": "${version}"`);
edit("packages/model/src/version.ts", /version = "[^"]+"/, `version = "${version}"`);
writeFileSync(join(root, "CHANGELOG.md"), releaseChangelog(read("CHANGELOG.md"), version, changes));
console.log(`Every package is ${version}`);
