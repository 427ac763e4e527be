import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { Command } from "./command.ts";
import { programEnvironment } from "./environment.ts";
import { failureJson } from "./terminal/failure.ts";
import { EnvironmentError } from "./errors.ts";
import { findPackageManager } from "./package-manager.ts";
import { jsonText } from "./terminal/visible.ts";

interface Manifest {
  readonly bin?: { readonly vitest?: string };
}

/** The program of the vitest that is installed in this folder or above; undefined when there is none. */
export function findVitest(folder: string): string | undefined {
  try {
    // Not by a path: Yarn's Plug'n'Play has no node_modules.
    const manifest = createRequire(join(folder, "package.json")).resolve("vitest/package.json");
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
    return bin?.vitest === undefined ? undefined : join(dirname(manifest), bin.vitest);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

const ownFlags: ReadonlySet<string> = new Set(["--watch", "-w", "--json"]);

/** The arguments of vitest, which watches only with --watch; a JSON report goes to a file. */
export function vitestArguments(args: readonly string[], reportFile?: string): string[] {
  const mode = args.includes("--watch") || args.includes("-w") ? "watch" : "run";
  const report = reportFile === undefined ? [] : ["--reporter=json", `--outputFile=${reportFile}`];
  return [mode, ...args.filter((word) => !ownFlags.has(word)), ...report];
}

async function endOf(child: ChildProcess): Promise<number> {
  // A terminal sends SIGINT and SIGHUP to both processes; x waits for vitest.
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, forward);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  for (const each of signals) process.off(each, forward);
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Coverage runs without the compile cache: V8 counts less exactly in cached modules. */
const environmentFor = (args: readonly string[]): NodeJS.ProcessEnv | undefined =>
  args.some((word) => word.startsWith("--coverage")) ? undefined : programEnvironment();

/** Runs vitest and prints only its report on standard output; the output of tests goes to standard error. */
async function reportTests(program: string, args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "x-test-"));
  try {
    const file = join(folder, "report.json");
    const words = [program, ...vitestArguments(args, file)];
    const env = environmentFor(args);
    const code = await endOf(spawn(process.execPath, words, { stdio: ["inherit", 2, "inherit"], env }));
    const noReport = new EnvironmentError("vitest wrote no report; see its output on standard error");
    console.log(existsSync(file) ? readFileSync(file, "utf8").trimEnd() : jsonText(failureJson(noReport, code)));
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runVitest(args: readonly string[]): Promise<number> {
  const program = findVitest(process.cwd());
  if (program === undefined)
    throw new EnvironmentError(
      `vitest is not installed in ${process.cwd()} or above; ${findPackageManager().add} vitest vite adds it to a project`,
    );
  if (args.includes("--json")) return reportTests(program, args);
  return endOf(
    spawn(process.execPath, [program, ...vitestArguments(args)], { stdio: "inherit", env: environmentFor(args) }),
  );
}

/** `x test`: runs the tests of a project. */
export const testCommand: Command = {
  operands: "[ARGS…]",
  details: [
    "Runs the vitest that is installed in the working folder or above, once, and exits with its exit code. All arguments",
    "are passed to vitest: file names and its own flags.",
  ].join("\n"),
  flags: [
    { name: "watch", about: "stay, and rerun tests on change" },
    { name: "json", about: "print one JSON document (vitest's JSON reporter)" },
  ],
  examples: ["x test", "x test src/new-orders.test.ts -t 'emits once'", "x test --watch", "x test --json"],
  passesOn: true,
  run: (args) => runVitest(args.operands),
};
