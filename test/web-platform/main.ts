import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { openSandbox } from "../../packages/sandbox/src/sandbox.cases.ts";
import { compareHeaders } from "./headers.ts";
import type { Report } from "./report.ts";
import { compareUrls } from "./urls.ts";

/**
 * Runs the public conformance tests that a package of the npm registry carries in a real sandbox, and in Node beside it:
 *
 *   npm ci --prefix test/web-platform --ignore-scripts
 *   node --conditions=@x/source test/web-platform/main.ts
 *
 * No package has those for encoding, base64 and AbortSignal; the differential tests of the guest's code cover these.
 */
const modules = fileURLToPath(new URL("node_modules/", import.meta.url));

function show({ name, total, guest, node }: Report): string {
  const share = (failed: readonly string[]): string => {
    const passed = total - failed.length;
    return `${passed} of ${total} (${((100 * passed) / total).toFixed(1)} %)`;
  };
  const lines = guest.map((failure) => `    fails${node.includes(failure) ? ", as in Node" : ""}: ${failure}`);
  return [`${name}: sandbox ${share(guest)}, Node ${share(node)}`, ...lines].join("\n");
}

if (!existsSync(modules)) {
  process.stderr.write("The tests are not installed: npm ci --prefix test/web-platform --ignore-scripts\n");
  process.exitCode = 1;
} else {
  const sandbox = await openSandbox();
  try {
    for (const compare of [compareUrls, compareHeaders])
      process.stdout.write(`${show(await compare(sandbox, modules))}\n`);
  } finally {
    await sandbox.close();
  }
}
