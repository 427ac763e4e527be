import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startTestRegistry, type TestRegistry } from "../../packages/components/src/packages/registry.cases.ts";
import { type Data, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import { hostileCodes } from "./deploy/codes.ts";

const folder = mkdtempSync(join(tmpdir(), "attacks-deploy-"));
const canary = join(folder, "canary.json");
const secret = "nobody-may-read-this";
let registry: TestRegistry;
let service: Service;
let built = 0;
beforeAll(async () => {
  writeFileSync(canary, JSON.stringify({ secret }));
  registry = await startTestRegistry();
  service = await startService({
    packages: { registry: registry.url, cache: join(folder, "cache") },
    limits: { describeTimeoutMs: 1_500, memoryBytes: 48 * 1024 * 1024 },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await registry.close();
  rmSync(folder, { recursive: true });
});

test.each(hostileCodes)("$id: $promise", async ({ code, refused }) => {
  const reply = await service.call<Data<SourceBody> | { error: string }>("POST", "/sources", {
    component_code: code.replaceAll("CANARY", canary),
  });
  const seen = [JSON.stringify(reply.body)];
  expect(refused ? [400, 413, 422] : [200, 400, 413, 422]).toContain(reply.status);
  if (reply.status === 200) {
    const { id } = (reply.body as Data<SourceBody>).data;
    seen.push(JSON.stringify(await service.run(id)), JSON.stringify(await service.emitted(id)));
    await service.call("DELETE", `/sources/${id}`);
  }
  for (const each of seen) {
    expect(each).not.toContain(secret);
    expect(each).not.toContain("root:");
    expect(each.length).toBeLessThan(1024 * 1024);
  }
  // The next component still deploys and runs; its code is new each time, so that nothing of it is cached.
  const after = await service.deploy(
    `export default { name: "After ${++built}", version: "1", run() { this.$emit(${built}) } }`,
  );
  await service.run(after.id);
  expect(await service.emitted(after.id)).toEqual([built]);
  await service.call("DELETE", `/sources/${after.id}`);
});
