#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Most of a short command is reading its own modules; compiled ones are kept in the system's folder for temporary files.
enableCompileCache();
const { runCommandLine } = await import("./command-line.ts");

// Whoever read the output has gone (`x … | head`): there is nobody left to write to.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2));
