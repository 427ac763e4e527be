import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { type ManualClock, manualClock } from "../../../../model/src/process/clock.ts";
import { type RecordedLog, recordLog } from "../../registry/registry.cases.ts";
import { type CacheLimit, createCacheLimit, removeAbandonedDrafts } from "./cache-limit.ts";

const place = mkdtempSync(join(tmpdir(), "cache-bound-"));
afterAll(() => rmSync(place, { recursive: true }));

const hourMs = 60 * 60 * 1000;
const block = 4096;
/** The size on disk of a tree with one file of this size. */
const treeBytes = (fileBytes: number): number => block + Math.ceil(fileBytes / block) * block;

interface Cache {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly bound: CacheLimit;
  readonly log: RecordedLog;
  addTree(key: string, fileBytes: number): Promise<void>;
  addArchive(name: string, bytes: number): void;
  trees(): string[];
  archives(): string[];
}

let count = 0;
function openCache(maxBytes: number, needed = (_cache: Cache) => Promise.resolve<readonly string[]>([])): Cache {
  const folder = join(place, String((count += 1)));
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const log = recordLog();
  const bound = createCacheLimit({
    cacheFolder: folder,
    maxBytes,
    needed: async () => new Set(await needed(cache)),
    clock,
    logger: log,
  });
  const contents = join(folder, "_cacache", "content-v2", "sha512");
  const list = (path: string): string[] => (existsSync(path) ? readdirSync(path).toSorted() : []);
  const cache: Cache = {
    folder,
    clock,
    bound,
    log,
    async addTree(key, fileBytes) {
      const inner = join(folder, "trees", key, "node_modules", "it");
      mkdirSync(inner, { recursive: true });
      writeFileSync(join(inner, "index.js"), "x".repeat(fileBytes));
      expect(await bound.use(join(folder, "trees", key))).toBe(true);
    },
    addArchive(name, bytes) {
      mkdirSync(contents, { recursive: true });
      writeFileSync(join(contents, name), "x".repeat(bytes));
      utimesSync(join(contents, name), clock.now() / 1000, clock.now() / 1000);
    },
    trees: () => list(join(folder, "trees")),
    archives: () => list(contents),
  };
  return cache;
}
const messages = ({ log }: Cache): string[] => log.lines.map(([message]) => message);

test("the least recently used trees are evicted until the rest fits", async () => {
  const cache = openCache(2 * treeBytes(10_000));
  for (const key of ["a", "b", "c", "d"]) {
    await cache.addTree(key, 10_000);
    cache.clock.jump(hourMs);
  }
  expect(await cache.bound.use(join(cache.folder, "trees", "a"))).toBe(true);
  cache.clock.jump(2 * hourMs);
  await cache.bound.enforce();
  expect(cache.trees()).toEqual(["a", "d"]);
  expect(readdirSync(join(cache.folder, "staging"))).toEqual([]);
  expect(await cache.bound.use(join(cache.folder, "trees", "b"))).toBe(false);
  // Storing the size of a tree does not change when it was used.
  await cache.addTree("e", 10_000);
  await cache.bound.enforce();
  expect(cache.trees()).toEqual(["a", "e"]);
});

test("needed trees stay, and those used within the hour; a log line says when they exceed the limit", async () => {
  const cache = openCache(treeBytes(1), () => Promise.resolve(["needed"]));
  for (const key of ["needed", "idle"]) await cache.addTree(key, 5_000);
  cache.clock.jump(2 * hourMs);
  await cache.addTree("fresh", 5_000);
  await cache.bound.enforce();
  expect(cache.trees()).toEqual(["fresh", "needed"]);
  expect(messages(cache)).toEqual([
    "the package cache is larger than its limit: everything in it is needed, or was used within the last hour",
  ]);
});

test("while everything fits, nothing is evicted and `needed` is not called", async () => {
  const cache = openCache(1024 * 1024, () => Promise.reject(new Error("asked")));
  await cache.addTree("a", 5_000);
  cache.clock.jump(2 * hourMs);
  await cache.bound.enforce();
  expect(cache.trees()).toEqual(["a"]);
  expect(messages(cache)).toEqual([]);
});

test("archives get a quarter; old archives are evicted before trees", async () => {
  const cache = openCache(16 * block);
  for (const name of ["old", "older"]) cache.addArchive(name, 4 * block);
  await cache.addTree("a", 7 * block);
  cache.clock.jump(2 * hourMs);
  cache.addArchive("new", 2 * block);
  await cache.bound.enforce();
  expect(cache.archives()).toEqual(["new"]);
  expect(cache.trees()).toEqual(["a"]);
});

test("when `needed` fails, nothing is evicted", async () => {
  const cache = openCache(0, () => Promise.reject(new Error("no store")));
  await cache.addTree("a", 5_000);
  cache.clock.jump(2 * hourMs);
  await cache.bound.enforce();
  expect(cache.trees()).toEqual(["a"]);
  expect(messages(cache)).toEqual(["the size of the package cache cannot be limited"]);
});

test("a tree that is used while it is being evicted is restored", async () => {
  // After the listing, before the move.
  const cache = openCache(0, async ({ bound, folder }) => {
    expect(await bound.use(join(folder, "trees", "a"))).toBe(true);
    return [];
  });
  await cache.addTree("a", 5_000);
  cache.clock.jump(2 * hourMs);
  await cache.bound.enforce();
  expect(cache.trees()).toEqual(["a"]);
  expect(statSync(join(cache.folder, "trees", "a")).mtimeMs).toBe(cache.clock.now());
});

test("a process that ends during an eviction leaves a draft, which the next one removes", async () => {
  const cache = openCache(0);
  const left = join(cache.folder, "staging", "evicted-x");
  mkdirSync(join(left, "node_modules"), { recursive: true });
  utimesSync(left, 1, 1);
  await removeAbandonedDrafts(join(cache.folder, "staging"));
  expect(existsSync(left)).toBe(false);
});

test("a cache that does not exist needs no eviction", async () => {
  const cache = openCache(0);
  await cache.bound.enforce();
  expect(existsSync(cache.folder)).toBe(false);
  expect(messages(cache)).toEqual([]);
});
