import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { makeFolder, runX, spawnX } from "../packages/cli/src/spawned.cases.ts";
import { startTestRegistry } from "../packages/components/src/packages/registry.cases.ts";

test("x dev uses the packages that x run has fetched", async () => {
  await using registry = await startTestRegistry();
  registry.publish("word", "1.0.0", `module.exports = "fetched";`);
  await using folder = await makeFolder({
    "feed.js": `import word from "word"; export default { name: "Feed", version: "1", run() { this.$emit(word); } };`,
  });
  const env = { XDG_CACHE_HOME: join(folder.path, "cache"), npm_config_registry: registry.url };
  const run = await runX(["run", "feed.js"], { cwd: folder.path, env });
  expect([run.code, run.out]).toEqual([0, expect.stringContaining('event  "fetched"')]);
  await using x = spawnX(["dev", "feed.js", "--port", "0", "--json", "--run"], { cwd: folder.path, env });
  await x.printed(/"message":"event".*"fetched"/);
  expect(registry.requests.filter((request) => request.endsWith(".tgz"))).toEqual(["GET /word/-/word-1.0.0.tgz"]);
  expect(existsSync(join(folder.path, ".x/packages"))).toBe(false);
});
