import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import type { Worker } from "node:worker_threads";
import { afterAll, afterEach, describe, expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import type { Store } from "../contract.ts";
import { addEvent, exampleEvent, setValue } from "../conformance/examples.cases.ts";
import { lockFolder } from "./lock.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-faults-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(options: SqliteStoreOptions): Promise<Store> {
  const store = await openSqliteStore(options);
  cleanups.push(() => store.close());
  return store;
}

const large = (text: string): string => JSON.stringify(text.repeat(20_000));

const filled = mkdtempSync(join(tmpdir(), "x-faults-"));
afterAll(() => rmSync(filled, { recursive: true }));

/** A folder whose file holds about 400 KB, closed cleanly; each is a copy of the first. */
async function makeFilledFolder(): Promise<{ folder: string; file: string }> {
  if (readdirSync(filled).length === 0) {
    const store = await openSqliteStore({ folder: filled });
    await store.commit(Array.from({ length: 20 }, (_, n) => setValue("dc_1", `k${n}`, large("v"))));
    await store.close();
  }
  const folder = makeFolder();
  cpSync(filled, folder, { recursive: true });
  return { folder, file: join(folder, "x.db") };
}

interface Child {
  readonly lines: AsyncIterableIterator<string>;
  kill(): Promise<void>;
}

function startChild(mode: "hold" | "commit", folder: string): Child {
  const program = new URL("./faults.child.cases.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, mode, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = (): Promise<void> => {
    child.kill("SIGKILL");
    return gone;
  };
  cleanups.push(kill);
  return { lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), kill };
}

describe("two stores on one folder", () => {
  test("the lock of a killed process is released", async () => {
    const folder = makeFolder();
    const child = startChild("hold", folder);
    expect((await child.lines.next()).value).toBe("open");
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: "store_locked" });
    await child.kill();
    await expect(open({ folder })).resolves.toBeDefined();
  });

  test("a second store is refused, in the same process and in another one, and the first still works", async () => {
    const folder = makeFolder();
    const store = await open({ folder });
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: "store_locked" });
    const child = startChild("hold", folder);
    expect((await child.lines.next()).value).toBe("store_locked");
    await store.commit([setValue("dc_1", "k", "1")]);
    expect((await store.db("dc_1")).get("k")).toBe("1");
    await store.close();
    await expect(open({ folder })).resolves.toBeDefined();
  });
});

describe("a data file that cannot be used", () => {
  const dataOf = (folder: string): Buffer | string | undefined => {
    const found = statSync(join(folder, "x.db"), { throwIfNoEntry: false });
    return found?.isFile() ? readFileSync(join(folder, "x.db")) : found && "no file";
  };
  /** Neither repairs nor replaces the file, and frees the lock. */
  const refusal = async (folder: string): Promise<{ code: string; message: string }> => {
    const before = dataOf(folder);
    const reason: unknown = await openSqliteStore({ folder }).catch((error: unknown) => error);
    expect(dataOf(folder)).toEqual(before);
    lockFolder(folder)();
    const { code, message } = XError.is(reason) ? reason : { code: "opened", message: String(reason) };
    return { code, message: message.replaceAll(join(folder, "x.db"), "FILE") };
  };
  const refused = (code: string, message: RegExp): { code: string; message: unknown } => ({
    code,
    message: expect.stringMatching(message),
  });

  test.each([0.9, 0.02, 0])("truncated to %d of its size: store_corrupt", async (part) => {
    const { folder, file } = await makeFilledFolder();
    truncateSync(file, Math.floor(statSync(file).size * part));
    expect(await refusal(folder)).toEqual(refused("store_corrupt", /FILE.*restore it from a backup/));
  });

  test("overwritten pages: store_corrupt", async () => {
    const { folder, file } = await makeFilledFolder();
    overwrite(file, 1);
    expect(await refusal(folder)).toEqual(refused("store_corrupt", /FILE/));
  });

  test("overwritten header: store_corrupt", async () => {
    const { folder, file } = await makeFilledFolder();
    overwrite(file, 0);
    expect(await refusal(folder)).toEqual(refused("store_corrupt", /FILE/));
  });

  test("damage that the check at open misses fails the read, never as a missing key", async () => {
    const { folder, file } = await makeFilledFolder();
    const pages = statSync(file).size / 4096;
    const answers = new Set<string>();
    // Each page in turn: the answer is what was stored, or an error; an absent key would be a lie.
    for (let page = 2; page < pages; page += 17) {
      const copy = makeFolder();
      cpSync(folder, copy, { recursive: true });
      overwrite(join(copy, "x.db"), page, 1);
      const answer = await openSqliteStore({ folder: copy, checkedBytes: 0 }).then(
        async (store) => {
          const values = await store.db("dc_1").catch((error: unknown) => error);
          await store.close().catch(() => undefined);
          return values;
        },
        (error: unknown) => error,
      );
      answers.add(answer instanceof Map ? `${answer.size} keys` : XError.is(answer) ? answer.code : String(answer));
    }
    expect(answers).toEqual(new Set(["20 keys", "store_corrupt"]));
  });

  test("a text file: store_corrupt", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "x.db"), "These are not the rows you are looking for.\n".repeat(100));
    expect(await refusal(folder)).toEqual(refused("store_corrupt", /FILE/));
  });

  test("another program's SQLite file: store_corrupt, and it is unchanged", async () => {
    const folder = makeFolder();
    const database = new DatabaseSync(join(folder, "x.db"));
    database.exec("CREATE TABLE theirs (a); PRAGMA user_version = 9");
    database.close();
    const before = readFileSync(join(folder, "x.db"));
    expect(await refusal(folder)).toEqual(refused("store_corrupt", /FILE.*not written by this program/));
    expect(readFileSync(join(folder, "x.db"))).toEqual(before);
  });

  test("a newer schema: store_version", async () => {
    const { folder, file } = await makeFilledFolder();
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 1000");
    database.close();
    expect(await refusal(folder)).toEqual(refused("store_version", /FILE.*1000/));
  });

  test("a write-ahead log without its data file: store_corrupt instead of an empty store", async () => {
    const { folder, file } = await makeFilledFolder();
    rmSync(file);
    writeFileSync(`${file}-wal`, "frames");
    expect(await refusal(folder)).toEqual(refused("store_corrupt", /FILE.*missing/));
    expect(readFileSync(`${file}-wal`, "utf8")).toBe("frames");
  });

  test("a folder in place of the file: store_failed", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "x.db"));
    expect(await refusal(folder)).toEqual(refused("store_failed", /FILE/));
  });

  test("a file in place of the folder: store_failed", async () => {
    const folder = join(makeFolder(), "file");
    writeFileSync(folder, "");
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: "store_failed" });
  });

  test.runIf(canProtect())("a read-only file: store_failed that says so", async () => {
    const { folder, file } = await makeFilledFolder();
    cleanups.push(protect(file));
    // The files that SQLite lays beside it do not matter.
    for (const _ of [1, 2]) expect(await refusal(folder)).toEqual(refused("store_failed", /FILE.*read-only/));
  });
});

describe.runIf(canProtect())("a lock file that may only be read", () => {
  test("cannot be locked, so the store does not open", async () => {
    const { folder } = await makeFilledFolder();
    cleanups.push(protect(join(folder, "x.lock")));
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: "store_failed",
      message: expect.stringContaining("x.lock"),
    });
  });
});

describe("commits that fail", () => {
  test("a full file refuses commits, keeps its records, and accepts commits again when there is room", async () => {
    const store = await open({ folder: makeFolder(), maxPages: 130 });
    const makeRoom = (): Promise<void> => store.commit([setValue("dc_1", "ballast", undefined)]);
    expect(await fillAndRecover(store, makeRoom)).toEqual(goesOn);
  });

  test.runIf(canMount())("a full disk refuses what does not fit, and goes on when there is room", async () => {
    const folder = makeFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", folder]);
    cleanups.push(() => execFileSync("umount", ["-l", folder]));
    const ballast = join(folder, "ballast");
    writeFileSync(ballast, Buffer.alloc(1024 * 1024));
    const store = await open({ folder: join(folder, "data") });
    expect(await fillAndRecover(store, async () => rmSync(ballast))).toEqual(goesOn);
  });

  test("a locked file refuses all waiting commits after one wait, and accepts commits again when it is free", async () => {
    const folder = makeFolder();
    const store = await open({ folder, busyTimeoutMs: 100 });
    await store.commit([setValue("dc_1", "kept", "1")]);
    const other = new DatabaseSync(join(folder, "x.db"));
    other.exec("BEGIN IMMEDIATE");
    const start = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) => store.commit([setValue("dc_1", `k${n}`, "1")])),
    );
    // One wait for each would be 10 s.
    expect(performance.now() - start).toBeLessThan(8_000);
    expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
    expect(outcomes[0]).toMatchObject({
      reason: { code: "store_failed", message: expect.stringContaining("another process holds it locked") },
    });
    expect(await store.db("dc_1")).toEqual(new Map([["kept", "1"]]));
    other.exec("ROLLBACK");
    other.close();
    await store.commit([setValue("dc_1", "after", "1")]);
    expect((await store.db("dc_1")).size).toBe(2);
  });

  test("after the writer ended, running and later commits reject, reads work, and a reopen finds the committed records", async () => {
    const folder = makeFolder();
    const started = new Promise<Worker>((resolve) => process.once("worker", resolve));
    const store = await openSqliteStore({ folder });
    const writer = await started;
    await store.commit([setValue("dc_1", "kept", "1")]);
    const underWay = Array.from({ length: 20 }, (_, n) => store.commit([setValue(`dc_${n}`, "k", "1")]));
    const outcomes = Promise.allSettled(underWay);
    await writer.terminate();
    expect(await store.failed).toMatchObject({ code: "store_failed" });
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "store_failed", message: expect.stringContaining("writer thread") },
      });
    }
    await expect(store.commit([setValue("dc_1", "k", "1")])).rejects.toMatchObject({ code: "store_failed" });
    await store.close();
    const again = await open({ folder });
    expect((await again.db("dc_1")).get("kept")).toBe("1");
  });
});

describe("kill -9", () => {
  test.each([1, 150])("after %d acknowledged commits all are stored, each completely", async (enough) => {
    const folder = makeFolder();
    const child = startChild("commit", folder);
    const acknowledged = new Map<string, number>();
    let count = 0;
    for await (const line of child.lines) {
      const [emitterId = "", n] = line.split(" ");
      if (n === undefined) continue;
      acknowledged.set(emitterId, Number(n));
      count += 1;
      if (count === enough) void child.kill();
    }
    expect(count).toBeGreaterThanOrEqual(enough);
    const store = await open({ folder });
    for (const emitterId of ["dc_1", "dc_2", "dc_3", "dc_4"]) {
      const state = await store.sourceState(emitterId);
      const kept = state.heads.emits?.ms ?? 0;
      expect(kept).toBeGreaterThanOrEqual(acknowledged.get(emitterId) ?? 0);
      const events = await store.events(emitterId, "emits", { limit: 1, retention: 1_000_000 });
      expect(events.totalCount).toBe(kept * 2);
      expect(events.items[0]?.id.seq).toBe(kept === 0 ? undefined : 1);
      const values = [(await store.db(emitterId)).get("count"), await store.dataStoreValue("u_1", "shared", emitterId)];
      expect([...values, state.dedupe[""]?.ids[0]]).toEqual(Array(3).fill(kept === 0 ? undefined : String(kept)));
    }
    await store.close();
    const database = new DatabaseSync(join(folder, "x.db"), { readOnly: true });
    expect(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"]).toBe("ok");
    database.close();
  });
});

/** Writes garbage over pages of 4 KiB. */
function overwrite(file: string, fromPage: number, pages: number = 1_000): void {
  const size = Math.min(statSync(file).size - fromPage * 4096, pages * 4096);
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(size, 0xa5), 0, size, fromPage * 4096);
  closeSync(handle);
}

const goesOn = {
  failure: expect.stringMatching(/^The store could not commit: .*disk is full; free some space/),
  tornKeys: 0,
  tornEvents: 0,
  largeOne: "rejected",
  after: true,
  lost: 0,
};

/** Commits until the disk is full, then makes room; says what was seen. */
async function fillAndRecover(store: Store, makeRoom: () => Promise<void>): Promise<unknown> {
  await store.commit([setValue("dc_1", "ballast", large("bbbbb"))]);
  let stored = 0;
  let failure: unknown;
  for (; failure === undefined && stored < 1_000; stored += failure ? 0 : 1) {
    const commit = [setValue("dc_2", `k${stored}`, large("v")), addEvent(exampleEvent(stored + 1, 0))];
    failure = await store.commit(commit).catch((error: unknown) => error);
  }
  const tornKeys = (await store.db("dc_2")).size - stored;
  const tornEvents = ((await store.sourceState("dc_1")).heads.emits?.ms ?? 0) - stored;
  const [largeOne] = await Promise.allSettled([
    store.commit([setValue("dc_3", "large", JSON.stringify("v".repeat(4_000_000)))]),
    store.commit([setValue("dc_1", "ballast", '"small"')]),
  ]);
  await makeRoom();
  await store.commit([setValue("dc_3", "after", large("v"))]);
  return {
    failure: XError.is(failure) && failure.code === "store_failed" ? failure.message : failure,
    tornKeys,
    tornEvents,
    largeOne: largeOne.status,
    after: (await store.db("dc_3")).has("after"),
    lost: stored - (await store.db("dc_2")).size,
  };
}

/** Mode bits do not bind root; a file attribute does. */
function protect(file: string): () => void {
  if (process.getuid?.() !== 0) {
    chmodSync(file, 0o400);
    return () => chmodSync(file, 0o600);
  }
  execFileSync("chattr", ["+i", file], { stdio: "ignore" });
  return () => execFileSync("chattr", ["-i", file]);
}

function canProtect(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "x-probe-"));
  try {
    const file = join(folder, "file");
    writeFileSync(file, "");
    protect(file)();
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "x-probe-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
