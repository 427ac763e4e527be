import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRuntime, type Runtime } from "@x/runtime";
import { expect, onTestFinished, test } from "vitest";

import { type GivenKeyv, loadLatest } from "./latest-keyv.ts";

const code = `export default { name: "Counter", version: "1", props: { db: "$.service.db" },
  run() {
    const count = (this.db.get("count") ?? 0) + 1;
    this.db.set("count", count);
    this.$emit({ count });
  } };`;

const latest = loadLatest();

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-keyv-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A runtime with its data and the dbs of its sources in `folder`. */
async function open(folder: string): Promise<{ runtime: Runtime; keyv: GivenKeyv } & AsyncDisposable> {
  const keyv = latest.open(join(folder, "dbs.sqlite"), 50);
  const runtime = await createRuntime({ data: join(folder, "data"), workers: 0, keyv });
  await runtime.start();
  return {
    runtime,
    keyv,
    async [Symbol.asyncDispose]() {
      await runtime.close();
      await keyv.disconnect();
    },
  };
}

/** Locks a file in another process: two libraries in one process do not see each other's locks. */
async function lock(file: string): Promise<AsyncDisposable> {
  const script = `globalThis.held = new (require("node:sqlite").DatabaseSync)(process.argv[1]); held.exec("BEGIN EXCLUSIVE");
    process.stdout.write("locked"); process.stdin.resume();`;
  const child = spawn(process.execPath, ["-e", script, file], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

const counted = async (runtime: Runtime, id: string): Promise<unknown[]> =>
  (await runtime.storedEvents(id, "emits", { limit: 10 })).items.map(({ payload }) => JSON.parse(payload) as unknown);

test("the releases that npm calls latest belong together", () => {
  expect(latest.versions).toEqual([expect.stringMatching(/^4\./), expect.stringMatching(/^5\./)]);
});

test("a Keyv with @keyv/sqlite keeps the db of a source over a restart, and nothing of a deleted one", async () => {
  const folder = makeFolder();
  let id: string;
  {
    await using first = await open(folder);
    id = (await first.runtime.deploy({ code })).source.id;
    expect((await first.runtime.invoke(id)).status).toBe("ok");
    expect(await first.keyv.get(`db:${id}`)).toEqual({ count: "1" });
  }
  await using second = await open(folder);
  expect((await second.runtime.invoke(id)).status).toBe("ok");
  expect(await counted(second.runtime, id)).toEqual([{ count: 2 }, { count: 1 }]);
  await second.runtime.delete(id);
  expect(await second.keyv.get(`db:${id}`)).toBeUndefined();
});

test("while its file is locked no run begins with an empty db", async () => {
  const folder = makeFolder();
  await using own = await open(folder);
  const { id } = (await own.runtime.deploy({ code })).source;
  await own.runtime.invoke(id);
  await own.runtime.close();
  await using other = await lock(join(folder, "dbs.sqlite"));
  await expect(own.keyv.get(`db:${id}`)).rejects.toThrow(/locked|busy/i);
  const runtime = await createRuntime({ data: join(folder, "data"), workers: 0, keyv: own.keyv });
  await runtime.start();
  await expect(runtime.invoke(id)).rejects.toMatchObject({ code: "store_failed" });
  await other[Symbol.asyncDispose]();
  expect((await runtime.invoke(id)).status).toBe("ok");
  expect(await counted(runtime, id)).toEqual([{ count: 2 }, { count: 1 }]);
  await runtime.close();
});
