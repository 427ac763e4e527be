/** Entry of the bundling process: builds what its host sends, one at a time, and ends with its host. */
import { parse } from "node:path";

import { build } from "./build.ts";
import type { BuildReply, BuildRequest } from "./bundle-messages.ts";
import { createPackageTrees } from "../imports/package-trees.ts";
import { createParsedModules } from "./parsed-modules.ts";

const workingDirectory = parse(process.execPath).root;
const kept = { trees: createPackageTrees(), parsed: createParsedModules() };

/** Takes esbuild's own process along: it is in this process's group, and may be too busy to notice that we are gone. */
function end(): never {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    // No process groups here: esbuild ends when its input does.
  }
  process.exit(1);
}

async function answer(request: BuildRequest): Promise<void> {
  let reply: BuildReply;
  try {
    reply = await build(request, workingDirectory, kept);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // esbuild overflowed or was killed: this process cannot build any more, the host starts another.
    if (message.includes("The service ")) end();
    reply = { kind: "broken", message };
  }
  process.send?.(reply);
}

process.on("message", (request: BuildRequest) => void answer(request));
process.on("disconnect", end);
