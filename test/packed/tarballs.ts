import { execFile } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** The repository that the manifests of the tarballs name. */
export const repository = "https://git.example.com/x.git";

/** A folder of tarballs that are to be tested as they are, such as those of a release. */
export const given = process.env["X_TEST_TARBALLS"];

/** Packs the packages of the workspace into `folder` as they are published. Returns the tarballs. */
export async function packAll(root: string, folder: string): Promise<string[]> {
  if (given !== undefined) cpSync(given, folder, { recursive: true });
  else await pack(root, folder);
  return readdirSync(folder).map((file) => join(folder, file));
}

async function pack(root: string, folder: string): Promise<void> {
  const run = promisify(execFile);
  // The tests build the code before, but not the declarations.
  const declared = ["packages/testing", "packages/cli", "packages/types"];
  await run(join(root, "node_modules/.bin/tsc"), ["-b", ...declared], { cwd: root });
  await run(process.execPath, [join(root, "scripts/declarations.mjs")], { cwd: root });
  // The same command as in scripts/pack.sh.
  const pnpm = ["--yes", "--prefer-offline", "pnpm@12.21.0", "--config.pnpmfile=scripts/published-manifest.mjs"];
  const inside = ["model", "store", "components", "accounts", "http", "resources"].flatMap((name) => [
    "--filter",
    `!@x/${name}`,
  ]);
  const words = [...pnpm, "--filter", "./packages/*", ...inside, "pack", "--pack-destination", folder];
  await run("npx", words, { cwd: root, maxBuffer: 2 ** 26, env: { ...process.env, X_REPOSITORY: repository } });
}
