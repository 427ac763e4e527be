// Renames the scope of the packages in every file of the repository: node scripts/rename-scope.mjs @acme
// Then install, and renew the pictures of the documentation: they show names of packages.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [wanted = ""] = process.argv.slice(2);
if (!/^@[a-z0-9][\w-]*$/.test(wanted)) {
  console.error(`usage: node scripts/rename-scope.mjs @SCOPE, in lower case; got "${wanted}"`);
  process.exit(2);
}
const present = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")).name.split("/")[0];
// Neither a longer scope nor a host, as of an email address.
const scope = new RegExp(`(?<![\\w.])${present}(?![\\w.-])`, "g");

const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
const changed = [];
for (const path of listed.toString().split("\0").filter(Boolean)) {
  const bytes = readFileSync(join(root, path));
  // Pictures and packed data.
  if (bytes.includes(0)) continue;
  const text = bytes.toString("utf8");
  const renamed = text.replace(scope, wanted);
  if (renamed === text) continue;
  writeFileSync(join(root, path), renamed);
  changed.push(path);
}
console.log(`${present} is ${wanted} in ${changed.length} files`);
