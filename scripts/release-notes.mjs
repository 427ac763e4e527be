// Prints the notes of a release: node scripts/release-notes.mjs FOLDER, with the packed packages.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { changesOf } from "./changelog.mjs";
import { readPacked } from "./packed-manifests.mjs";

const packed = readPacked(process.argv[2] ?? "");
const { version, engines } = packed[0].manifest;
const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
// Before its version is made, a dry release has what is unreleased.
const changes = changesOf(changelog, "Unreleased") || changesOf(changelog, version);
const rows = packed.map(({ file, manifest }) => {
  const bytes = readFileSync(file);
  const hash = createHash("sha256").update(bytes).digest("hex");
  return `| \`${manifest.name}\` | ${manifest.description} | ${Math.ceil(bytes.length / 1_000)} kB | \`${basename(file)}\` \`${hash}\` |`;
});
console.log(`# x ${version}

Needs Node ${engines.node}.

${changes}

## Packages

| Package | What it is | Packed | File and SHA-256 |
| ------- | ---------- | ------ | ---------------- |
${rows.join("\n")}`);
