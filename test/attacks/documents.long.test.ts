import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createRuntime, type Runtime } from "../../packages/runtime/src/index.ts";
import { XError } from "../../packages/model/src/errors.ts";
import { measureOnce, most } from "./complexity/measure.ts";
import { slowness } from "./complexity/slowness.ts";
import { hostileDocuments } from "./packages/documents.ts";

const codes = ["package_unresolved", "package_refused", "package_too_large", "package_integrity"];

let folder: string;
let thread: Worker;
let runtime: Runtime;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-documents-"));
  thread = new Worker(new URL("packages/registry-thread.ts", import.meta.url));
  const [port] = (await once(thread, "message")) as [number];
  runtime = await createRuntime({
    packages: { registry: `http://127.0.0.1:${port}/`, cache: folder },
    limits: { packageTimeoutMs: 5_000, packageMemoryBytes: 512 * 1024 * 1024 },
  });
  await runtime.start();
});
afterAll(async () => {
  await runtime.close();
  await thread.terminate();
  await rm(folder, { recursive: true, force: true });
});

test.each(hostileDocuments)("$id is refused with an error of packages, and holds nothing", async ({ id }) => {
  const code = `import "${id}"; export default { name: "T", version: "1", run() {} };`;
  const before = process.memoryUsage();
  let end: unknown;
  const { peakMs } = await measureOnce(async () => {
    end = await runtime.deploy({ code }).catch((error: unknown) => error);
  });
  const after = process.memoryUsage();
  expect(codes).toContain(XError.is(end) ? end.code : String(end));
  expect(JSON.stringify((end as XError).details).length).toBeLessThan(64 * 1024);
  expect(peakMs).toBeLessThan(most.ms * slowness());
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(256 * 1024 * 1024);
});
