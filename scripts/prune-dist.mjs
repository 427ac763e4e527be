import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

// The compiler never removes its old outputs, and everything in dist is published:
// the outputs of deleted sources are removed before the build. Bundles and `dist/types` are pruned by their own builds.
const packages = fileURLToPath(new URL("../packages/", import.meta.url));

for (const name of await readdir(packages)) {
  const dist = `${packages}${name}/dist`;
  if (!existsSync(dist)) continue;
  const compiled = /\.d\.ts$/;
  const published = `${dist}/types`;
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const file = `${entry.parentPath}/${entry.name}`;
    if (!entry.isFile() || !compiled.test(file) || file.startsWith(`${published}/`)) continue;
    const stem = file.slice(dist.length).replace(compiled, "");
    if (!existsSync(`${packages}${name}/src${stem}.ts`)) await rm(file);
  }
}
