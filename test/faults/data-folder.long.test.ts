import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRuntime } from "@x/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { runHere } from "../../packages/cli/src/run-here.cases.ts";
import { testEngine, testEngineWithin } from "../../packages/runtime/src/engine.cases.ts";
import { startServiceHere } from "../../packages/cli/src/serve/service-here.cases.ts";
import { apiKey, ask, killAll, type ServiceChild, startService } from "./service.child.ts";

const cleanups: (() => void)[] = [];
let root: string;
/** The data file of a folder that a service has used. */
let used: Buffer;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "x-folder-"));
  const data = join(root, "used");
  const runtime = await createRuntime({ data, engine: await testEngine() });
  await runtime.start();
  await runtime.deploy({ code: counter });
  await runtime.close();
  used = readFileSync(join(data, "x.db"));
});
afterAll(async () => {
  await killAll();
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
  rmSync(root, { recursive: true, force: true });
});

const counter = `export default {
  name: "Counter", version: "1", props: { db: "$.service.db", http: "$.interface.http" },
  run(event) { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit({ n, id: event.body.id, ballast: event.body.ballast }); },
};`;

async function deployCounter(service: ServiceChild): Promise<{ id: string; url: string }> {
  const { data } = await ask<{ data: { id: string; configured_props: { http: { endpoint_url: string } } } }>(
    service.url,
    "POST",
    "/sources",
    { component_code: counter },
  );
  return { id: data.id, url: service.url + new URL(data.configured_props.http.endpoint_url).pathname };
}

/** A start on an unusable folder must print one line with a code, and perhaps advice, exit with 4, and print no output. */
async function refusal(data: string): Promise<{ code: string | undefined; text: string }> {
  const { code, out, err } = await runHere(["serve", "--port", "0", "--data", data]);
  expect([code, out]).toEqual([4, ""]);
  expect(err).toMatch(/^error\[[^\n]+\n(?: {2}[^\n]+\n)?$/);
  return { code: /^error\[(\w+)\]: /.exec(err)?.[1], text: err };
}

function makeUsedFolder(name: string): { data: string; file: string } {
  const data = join(root, name);
  mkdirSync(data);
  const file = join(data, "x.db");
  writeFileSync(file, used);
  return { data, file };
}

function overwrite(file: string, from: number, bytes: number): void {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(handle);
}

test("a second service on the folder is refused with store_locked, and the first continues", async () => {
  const data = join(root, "shared");
  const service = await startService(data);
  const { id } = await deployCounter(service);
  const refused = await refusal(data);
  expect(refused.code).toBe("store_locked");
  expect(refused.text).toContain(data);
  expect(refused.text).toMatch(/ is in use by another process or runtime\.\n {2}Stop that process, or choose /);
  const { data: run } = await ask<{ data: { status: string } }>(service.url, "POST", `/sources/${id}/run`, {
    event: { body: { id: "a" } },
  });
  expect(run.status).toBe("ok");
  await service.kill();
});

test.each<[string, (file: string) => void]>([
  ["cut short", (file) => truncateSync(file, Math.floor(statSync(file).size * 0.6))],
  ["emptied", (file) => truncateSync(file, 0)],
  ["overwritten at its head", (file) => overwrite(file, 0, 4096)],
  ["overwritten inside", (file) => overwrite(file, 4096, statSync(file).size - 4096)],
  ["replaced by text", (file) => writeFileSync(file, "These are not the rows you are looking for.\n".repeat(100))],
])("a data file that was %s is refused with store_corrupt and left as it is", async (name, damage) => {
  const { data, file } = makeUsedFolder(name.replaceAll(" ", "-"));
  damage(file);
  const before = readFileSync(file);
  const refused = await refusal(data);
  expect(refused.code).toBe("store_corrupt");
  expect(refused.text).toContain(file);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test.each<[string, (data: string) => void]>([
  ["the data file is removed", (data) => rmSync(join(data, "x.db"))],
  ["the log of the data file is removed", (data) => rmSync(join(data, "x.db-wal"))],
  [
    "another file takes the place of the data file",
    (data) => {
      writeFileSync(join(data, "other"), used);
      renameSync(join(data, "other"), join(data, "x.db"));
    },
  ],
])("when %s, a service acknowledges nothing more, says so and ends with 4", async (name, damage) => {
  const data = join(root, name.replaceAll(" ", "-"));
  const service = await startService(data);
  const gone = once(service.process, "exit");
  const { url } = await deployCounter(service);
  const send = (id: string): Promise<number> =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ id }) }).then(
      ({ status }) => status,
    );
  expect(await send("before")).toBe(200);
  damage(data);
  expect(await send("after")).toBe(500);
  expect((await gone)[0]).toBe(4);
});

test("a folder with the key of a data file, but without the data file, is not treated as new", async () => {
  const data = join(root, "key-alone");
  const service = await startService(data);
  await service.kill("SIGTERM");
  for (const name of ["x.db", "x.db-wal", "x.db-shm"]) rmSync(join(data, name), { force: true });
  const refused = await refusal(data);
  expect(refused.code).toBe("store_corrupt");
  expect(refused.text).toContain(join(data, "x.key"));
  rmSync(join(data, "x.key"));
  await (await startService(data)).kill();
});

/** Makes a file read-only by a file attribute, because root ignores mode bits. Returns the function that undoes it. */
function protect(file: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0o400);
    return () => chmodSync(file, 0o600);
  }
  execFileSync("chattr", ["+i", file], { stdio: "ignore" });
  return () => execFileSync("chattr", ["-i", file]);
}

function isPossible(attempt: (folder: string) => void): boolean {
  const folder = mkdtempSync(join(tmpdir(), "x-probe-"));
  try {
    attempt(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const canProtect = isPossible((folder) => {
  writeFileSync(join(folder, "file"), "");
  protect(join(folder, "file"))();
});
const canMount = isPossible((folder) => {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
  execFileSync("umount", [folder]);
});

test.runIf(canProtect)("a data file that may only be read is refused with store_failed, which says so", async () => {
  const { data, file } = makeUsedFolder("read-only");
  cleanups.push(protect(file));
  const refused = await refusal(data);
  expect(refused.code).toBe("store_failed");
  expect(refused.text).toContain("read-only");
});

test("a file in place of the folder is refused with store_failed", async () => {
  const data = join(root, "a-file");
  writeFileSync(data, "");
  expect((await refusal(data)).code).toBe("store_failed");
});

describe.runIf(canMount)("a full disk", () => {
  test("S1 refuses requests with 500, keeps acknowledged ones, and accepts requests when there is space", async () => {
    const mounted = join(root, "small");
    mkdirSync(mounted);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", mounted]);
    cleanups.push(() => execFileSync("umount", ["-l", mounted]));
    const ballast = join(mounted, "ballast");
    // More than the service writes until then: at its end it copies the write-ahead log into the data file.
    writeFileSync(ballast, Buffer.alloc(3.5 * 1024 * 1024));
    const data = join(mounted, "data");
    const retention = 100_000;
    const first = await startService(data, { args: ["--retention", String(retention)] });
    const source = await deployCounter(first);
    const acknowledged: string[] = [];
    const send = async (url: string): Promise<number> => {
      const id = `request-${acknowledged.length}`;
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id, ballast: "b".repeat(30_000) }),
      });
      await response.text();
      if (response.status === 200) acknowledged.push(id);
      return response.status;
    };
    let status = 200;
    for (let n = 0; n < 500 && status === 200; n++) status = await send(source.url);
    expect(status).toBe(500);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    rmSync(ballast);
    expect(await send(source.url)).toBe(200);
    await first.kill("SIGTERM");
    expect(first.process.exitCode).toBe(0);

    await using second = await startServiceHere(mounted, { apiKey, engine: await testEngineWithin({ retention }) });
    const url = new URL(second.baseUrl).origin;
    const { data: run } = await ask<{ data: { status: string } }>(url, "POST", `/sources/${source.id}/run`, {
      event: { body: { id: "probe" } },
    });
    expect(run.status).toBe("ok");
    const events: { n: number; id: string }[] = [];
    for (let after = ""; ;) {
      const path = `/sources/${source.id}/event_summaries?expand=event&limit=100&after=${after}`;
      const page = await ask<{
        data: { event: { n: number; id: string } }[];
        page_info: { count: number; end_cursor: string };
      }>(url, "GET", path);
      events.push(...page.data.map(({ event }) => event));
      if (page.page_info.count < 100) break;
      after = page.page_info.end_cursor;
    }
    // A run that found the disk full is repeated a second later, after the runs in between.
    expect(events.map(({ id }) => id).toSorted()).toEqual([...acknowledged, "probe"].toSorted());
    expect(events.map(({ n }) => n).toReversed()).toEqual(events.map((_, index) => index + 1));
  });
});
