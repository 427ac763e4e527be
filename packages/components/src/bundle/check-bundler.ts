import { promisify } from "node:util";

import { XError } from "@x/model";
import { bundlerStart } from "./bundle-child.ts";

/** What Node or esbuild says first about what went wrong, without the code frame above it. */
function mainLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const line = lines.find((each) => /^\w*Error\b.*: /.test(each)) ?? lines.find((each) => each !== "") ?? "";
  return line.replace(/^\w*Error(?: \[\w+\])?: /, "").replace(/[.:]$/, "");
}

/** Paths belong to the server, not to the user who deploys. */
const withoutPaths = (text: string): string => text.replaceAll(/(?<=[\s'"])\/\S*\//g, "");

/** A failure of `execFile`. */
interface Failure extends Error {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly signal?: string | null;
}

function reasonOf({ stdout, stderr, signal, message }: Failure): string {
  const said = mainLine(stdout || stderr || "");
  if (said !== "") return withoutPaths(said);
  return signal ? `its process was ended by ${signal}` : withoutPaths(mainLine(message));
}

/** Enough for an empty build. */
const memoryBytes = 256 * 1024 * 1024;

/** Why builds do not run on this machine; undefined when they do. It starts what builds start, in the same environment. */
export async function findBundlerProblem(): Promise<string | undefined> {
  const { entry, cwd, env } = bundlerStart(memoryBytes);
  const { execFile } = process.getBuiltinModule("node:child_process");
  try {
    await promisify(execFile)(process.execPath, [entry], { cwd, env });
    return undefined;
  } catch (error) {
    return reasonOf(error as Failure);
  }
}

/** Throws `bundler_unavailable` when no build can succeed, whatever its code. */
export async function checkBundler(): Promise<void> {
  const problem = await findBundlerProblem();
  if (problem !== undefined) throw new XError("bundler_unavailable", [problem]);
}
