import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { writeChanged } from "./changed-files.mjs";
import { externalOf } from "./external-packages.mjs";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

const entries = {
  sandbox: { sandbox: "thread/worker.ts" },
  store: { "store-writer": "sqlite/writer.ts", "store-checkpoints": "sqlite/checkpoint-thread.ts" },
  components: { bundler: "bundle/bundle-process.ts" },
};

/** Entries of threads and processes, each bundled to one file: threads start often, and load one file in half the time. */
export async function buildThreads(name, bundles) {
  const { outputFiles } = await bundles.make({
    entryPoints: Object.fromEntries(
      Object.entries(entries[name]).map(([output, source]) => [output, join(packages, name, "src", source)]),
    ),
    outdir: join(packages, name, "dist/threads"),
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
    target: "node22",
    // The runtime is published with the threads of all.
    external: await externalOf("runtime"),
    legalComments: "none",
  });
  for (const { path, text } of outputFiles) await writeChanged(path, text);
}
