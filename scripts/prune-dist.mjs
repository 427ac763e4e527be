import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

// The compiler never removes what it once wrote, and everything in dist is published:
// files whose source is gone leave before the build.
const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const made = new Set([
  "tsconfig.tsbuildinfo",
  "guest-prelude.js",
  "base-image.bin",
  "sandbox.mjs",
  "store-writer.mjs",
  "bundler.mjs",
]);

for (const name of await readdir(packages)) {
  const dist = `${packages}${name}/dist`;
  if (!existsSync(dist)) continue;
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || made.has(entry.name)) continue;
    const file = `${entry.parentPath}/${entry.name}`;
    const stem = file.slice(dist.length).replace(/(\.d\.ts|\.js)(\.map)?$/, "");
    if (!existsSync(`${packages}${name}/src${stem}.ts`)) await rm(file);
  }
}
