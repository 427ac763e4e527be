import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startTestRegistry, type TestRegistry } from "../../packages/components/src/packages/registry.cases.ts";
import { type Data, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import { hostilePackages } from "./packages/packages.ts";

const root = mkdtempSync(join(tmpdir(), "attacks-packages-"));
const folder = join(root, "folder");
const canary = join(root, "canary.json");
const secret = "nobody-may-read-this";
let registry: TestRegistry;
let service: Service;
beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(canary, JSON.stringify({ secret }));
  registry = await startTestRegistry();
  registry.publish("good", "1.0.0", `module.exports = "good"`);
  service = await startService({
    packages: { registry: registry.url, cache: join(root, "cache") },
    limits: { describeTimeoutMs: 500 },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await registry.close();
  rmSync(root, { recursive: true });
});

const placed = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll("FOLDER", folder).replaceAll("CANARY", canary)) as Value;
const importing = (name: string): string =>
  `import it from "${name}"; export default { name: "t", version: "1", run() { this.$emit([it, {}.polluted]) } };`;

test.each(hostilePackages)("$id: $promise", async ({ id, manifest, files, odd, tampered }) => {
  registry.publish(id, "1.0.0", placed(files), placed(manifest), placed(odd));
  if (tampered) registry.tamper(id, "1.0.0", { "index.js": "module.exports = 2", "package.json": "{}" });
  const reply = await service.call<Data<SourceBody> | { error: string }>("POST", "/sources", {
    component_code: importing(id),
  });
  const seen = [JSON.stringify(reply.body).slice(0, 1_000_000)];
  expect(tampered ? [400, 422] : [200, 400, 422]).toContain(reply.status);
  if (reply.status === 200) {
    const { id: source } = (reply.body as Data<SourceBody>).data;
    seen.push(JSON.stringify(await service.run(source)), JSON.stringify(await service.emitted(source)));
    await service.call("DELETE", `/sources/${source}`);
  }
  for (const each of seen) expect(each).not.toContain(secret);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(root).sort()).toEqual(["cache", "canary.json", "folder"]);
  expect({}).not.toHaveProperty("polluted");
  // The next package still installs.
  const after = await service.deploy(`${importing("good")}//${id}`);
  await service.run(after.id);
  expect(await service.emitted(after.id)).toEqual([["good", null]]);
  await service.call("DELETE", `/sources/${after.id}`);
});
