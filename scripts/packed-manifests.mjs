import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The packed packages of a folder, with their manifests; each one after those that it needs. */
export function readPacked(folder) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .toSorted()
    .map((name) => join(folder, name));
  const manifestOf = (file) => JSON.parse(execFileSync("tar", ["-xzOf", file, "package/package.json"]).toString());
  const byName = new Map(files.map((file) => [file, manifestOf(file)]).map((each) => [each[1].name, each]));
  const ordered = new Map();
  function add(name) {
    const known = byName.get(name);
    if (known === undefined || ordered.has(name)) return;
    const [file, manifest] = known;
    for (const need of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) add(need);
    ordered.set(name, { file, manifest });
  }
  for (const name of byName.keys()) add(name);
  return [...ordered.values()];
}
