#!/usr/bin/env node
// By its default: a Node that is too old lacks the names that are needed, and must get far enough to be told.
import nodeModule from "node:module";

import { boundThreads, findServiceStart } from "./service-process.ts";
import { findNodeProblem, readNodeRange } from "./version.ts";

const problem = findNodeProblem(process.versions.node, readNodeRange());
if (problem !== undefined) {
  console.error(problem);
  process.exit(4);
}
const services: readonly (string | undefined)[] = ["serve", "dev", "demo"];
const isService = services.includes(process.argv[2]);
// The same process, with the same standard streams. Who has forked it would lose the channel to it.
if (isService && !process.connected) {
  const start = findServiceStart(process.platform, { env: process.env, flags: process.execArgv });
  if (start)
    process.execve?.(process.execPath, [process.execPath, ...start.flags, ...process.argv.slice(1)], start.env);
}
if (isService) boundThreads();
// Most of a short command is reading its own modules; compiled ones are kept in the system's folder for temporary files.
nodeModule.enableCompileCache();
const { runCommandLine } = await import("./command-line.ts");

// Whoever read the output has gone (`x … | head`): there is nobody left to write to.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  console.error(`error: standard output cannot be written: ${error.message}`);
  process.exit(4);
});

// A service goes on without its log.
process.stderr.on("error", () => undefined);

process.exitCode = await runCommandLine(process.argv.slice(2));

// What runs until it is stopped does not wait for somebody to read what it has printed; a pager may take its time with the rest.
const unreadMs = 500;
if (isService) setTimeout(() => process.exit(), unreadMs).unref();
