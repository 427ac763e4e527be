import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** The repository that the manifests of the tarballs name. */
export const repository = "https://git.example.com/x.git";

/** Packs the packages of the workspace into `folder` as they are published. Returns the tarballs. */
export async function packAll(root: string, folder: string): Promise<string[]> {
  const run = promisify(execFile);
  // The tests build the code before, but not the declarations.
  const declared = ["packages/testing", "packages/cli", "packages/types"];
  await run(join(root, "node_modules/.bin/tsc"), ["-b", ...declared], { cwd: root });
  await run(process.execPath, [join(root, "scripts/declarations.mjs")], { cwd: root });
  // The same command as in scripts/pack.sh.
  const pnpm = ["--yes", "--prefer-offline", "pnpm@12.21.0", "--config.pnpmfile=scripts/published-manifest.mjs"];
  const inside = ["model", "store", "components"].flatMap((name) => ["--filter", `!@x/${name}`]);
  const pack = [...pnpm, "--filter", "./packages/*", ...inside, "pack", "--pack-destination", folder];
  await run("npx", pack, { cwd: root, maxBuffer: 2 ** 26, env: { ...process.env, X_REPOSITORY: repository } });
  return readdirSync(folder).map((file) => join(folder, file));
}
