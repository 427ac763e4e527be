import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Has every process that tests start write Node's warnings into one file, and fails the run when there are any: a warning
 * is a leak of listeners, a rejection that nobody handled, or something that will not work for long.
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
    throw new Error(`Node warned while the tests ran; NODE_OPTIONS=--trace-warnings tells where:\n${warnings}`);
  };
}
