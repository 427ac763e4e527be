import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** What users install beside a package. Its other libraries are in the bundle: a few functions of a library are smaller. */
export async function externalOf(name) {
  const manifest = JSON.parse(await readFile(join(packages, name, "package.json"), "utf8"));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: "" });
  return names.flatMap((each) => [each, `${each}/*`]);
}
