import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

import { XError } from "@x/model";

/** In a process of its own: esbuild remembers the working folder of the process that loads it, which may be gone later. */
const program = `require(process.argv[1]).transform("").then(
  () => process.exit(0),
  ({ message }) => { process.stdout.write(message); process.exitCode = 1; },
)`;

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";

/** Paths belong to the server, not to the user who deploys. */
const withoutPaths = (text: string): string => text.replaceAll(/(?<=\s)\/\S*\//g, "");

/** Why esbuild does not run on this machine; undefined when it does. */
export async function findBundlerProblem(): Promise<string | undefined> {
  try {
    const esbuild = createRequire(import.meta.url).resolve("esbuild");
    await promisify(execFile)(process.execPath, ["-e", program, esbuild], { cwd: tmpdir() });
    return undefined;
  } catch (error) {
    const { stdout, message } = error as Error & { readonly stdout?: string };
    return withoutPaths(firstLine(stdout ? stdout : message));
  }
}

/** Throws `bundler_unavailable` when no build can succeed, whatever its code. */
export async function checkBundler(): Promise<void> {
  const problem = await findBundlerProblem();
  if (problem !== undefined) throw new XError("bundler_unavailable", [problem]);
}
