/**
 * Entry of the bundling process: runs the builds of its host and reads files by parsing them, one at a time, and exits with its host. Without a host it writes
 * why esbuild does not run, if it does not.
 */
import { parse } from "node:path";

import { stop, transform } from "esbuild";

import { build } from "./build.ts";
import { declareFiles } from "../declared/declare-files.ts";
import type { BuildReply, BuildRequest, DeclareReply, DeclareRequest } from "./bundle-messages.ts";
import { createPackageTrees } from "../imports/package-trees.ts";
import { createParsedModules } from "./parsed-modules.ts";

const workingDirectory = parse(process.execPath).root;
const caches = { trees: createPackageTrees(), parsed: createParsedModules(), releaseEsbuild: () => void stop() };

/** Kills the process group, so that esbuild's process ends even if it is busy. */
function end(): never {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    // Without process groups, esbuild ends when its input closes.
  }
  process.exit(1);
}

async function answer(request: BuildRequest | DeclareRequest): Promise<void> {
  let reply: BuildReply | DeclareReply;
  try {
    reply =
      "declare" in request
        ? { kind: "declared", declared: await declareFiles(request.declare) }
        : await build(request, workingDirectory, caches);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // esbuild has crashed: this process cannot build any more, and the host starts another.
    if (message.includes("The service ")) end();
    reply = { kind: "broken", message };
  }
  process.send?.(reply);
}

async function check(): Promise<void> {
  try {
    await transform("");
    process.exit(0);
  } catch (error) {
    process.stdout.write(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

if (process.send === undefined) {
  void check();
} else {
  // esbuild starts while the first request is on its way. If it cannot, the build says so.
  void transform("").catch(() => undefined);
  process.on("message", (request: BuildRequest | DeclareRequest) => void answer(request));
  process.on("disconnect", end);
}
