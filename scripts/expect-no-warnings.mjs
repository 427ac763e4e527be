import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Makes every process of the tests write Node's warnings to one file, and fails the run when there are any: a warning
 * is a leak of listeners, an unhandled rejection, or a deprecation.
 */
export default async function expectNoWarnings() {
  const folder = await mkdtemp(join(tmpdir(), "x-warnings-"));
  const file = join(folder, "warnings");
  process.env["NODE_REDIRECT_WARNINGS"] = file;
  return async () => {
    const warnings = await readFile(file, "utf8").catch(() => "");
    await rm(folder, { recursive: true, force: true });
    if (warnings === "") return;
    process.exitCode = 1;
    throw new Error(
      `Node printed warnings during the tests; NODE_OPTIONS=--trace-warnings shows their stacks:\n${warnings}`,
    );
  };
}
