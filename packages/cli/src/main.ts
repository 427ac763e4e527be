#!/usr/bin/env node
// The default import: an old Node lacks some named exports, and must get as far as the version check.
import nodeModule from "node:module";

import { findPlatformProblem } from "@x/model";
import { prestart } from "@x/runtime/prestart";

import { isHelp } from "./arguments/help-word.ts";
import { endOnUncaught } from "./crash.ts";
import { boundThreads, findServiceStart } from "./service-process.ts";

const problem = findPlatformProblem(process.versions);
if (problem !== undefined) {
  console.error(`error: ${problem}`);
  process.exit(4);
}
const services = new Set(["serve", "dev", "demo"]);
const [, , name = "", ...rest] = process.argv;
const isService = services.has(name);
// Replaces the process, with the same standard streams. Not with an IPC channel, which would be lost.
if (isService && !process.connected) {
  const start = findServiceStart(process.platform, { env: process.env, flags: process.execArgv });
  if (start)
    process.execve?.(process.execPath, [process.execPath, ...start.flags, ...process.argv.slice(1)], start.env);
}
if (isService) boundThreads();
if ((isService || name === "run") && !rest.some(isHelp)) prestart();
/** Time for the answers that are under way, and for balancers to notice. */
const crashMs = 1_000;
const crash = endOnUncaught(isService ? crashMs : 0);
// Loading modules takes most of the time of a short command; compiled ones are cached in the temporary folder.
nodeModule.enableCompileCache();
const { runCommandLine } = await import("./command-line.ts");

// EPIPE: the reader of the output has ended, as in `x … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  console.error(`error: standard output cannot be written: ${error.message}`);
  process.exit(4);
});

// A service continues without its log.
process.stderr.on("error", () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2), crash);

// A stopped service does not wait for a reader of its output; other commands do, such as for a pager.
const unreadMs = 500;
if (isService) setTimeout(() => process.exit(), unreadMs).unref();
