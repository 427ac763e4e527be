// Publishes packed packages, those that others need first: node scripts/publish.mjs FOLDER [FLAGS of npm publish], such as
// --provenance or --dry-run. What the registry has already is left out, so that a broken release can be repeated.
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

import { readPacked } from "./packed-manifests.mjs";

const [folder = "", ...flags] = process.argv.slice(2);

async function isPublished({ name, version }) {
  const seen = promisify(execFile)("npm", ["view", `${name}@${version}`, "version"]);
  try {
    return (await seen).stdout.trim() === version;
  } catch (error) {
    if (String(error.stderr).includes("E404")) return false;
    throw new Error(`npm does not say whether ${name}@${version} is published`, { cause: error });
  }
}

const packed = readPacked(folder);
const present = await Promise.all(packed.map(({ manifest }) => isPublished(manifest)));
for (const [index, { file, manifest }] of packed.entries()) {
  const what = `${manifest.name}@${manifest.version}`;
  if (present[index]) console.log(`${what} is published already`);
  else {
    const { status } = spawnSync("npm", ["publish", file, "--access", "public", ...flags], { stdio: "inherit" });
    if (status !== 0) throw new Error(`${what} was not published`);
    console.log(`${what} is published`);
  }
}
