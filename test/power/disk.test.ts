import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createRandom } from "../faults/random.ts";
import { createDisk, type Survival } from "./disk.ts";
import type { Operation } from "./recording.ts";

const open = (fd: string, path: string, created = true): Operation => ({ kind: "open", fd, path, created, cut: false });
const write = (fd: string, offset: number, text: string): Operation => ({
  kind: "write",
  fd,
  offset,
  bytes: Buffer.from(text),
});
const flush = (fd: string): Operation => ({ kind: "flush", fd });
const openFolder = open("folder", "/disk", false);

/** The files that a power failure leaves after these operations. */
function left(operations: readonly Operation[], survival: Survival, seed = 1): Record<string, string> {
  const target = mkdtempSync(join(tmpdir(), "x-disk-"));
  try {
    const disk = createDisk("/disk");
    for (const operation of operations) disk.apply(operation);
    disk.crash(target, survival, createRandom(seed));
    const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return Object.fromEntries(
      files.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "utf8")]),
    );
  } finally {
    rmSync(target, { recursive: true });
  }
}

test("what was not flushed is lost, or not: bytes by the flush of a file, names by that of its folder", () => {
  const written = [openFolder, open("1", "/disk/a"), write("1", 0, "one")];
  expect(left(written, "all")).toEqual({ a: "one" });
  expect(left(written, "flushed")).toEqual({});
  expect(left([...written, flush("1")], "flushed")).toEqual({});
  expect(left([...written, flush("folder")], "flushed")).toEqual({ a: "" });
  const whole = [...written, flush("1"), flush("folder")];
  expect(left(whole, "flushed")).toEqual({ a: "one" });
  expect(left([...whole, write("1", 3, "two")], "flushed")).toEqual({ a: "one" });
  expect(left([...whole, { kind: "truncate", fd: "1", size: 1 }], "all")).toEqual({ a: "o" });
});

test("a rename leaves the old name or the new one, never both", () => {
  const flushed = [openFolder, open("1", "/disk/a"), write("1", 0, "one"), flush("1"), flush("folder")];
  const renamed = [...flushed, { kind: "rename", path: "/disk/a", to: "/disk/b" } as const];
  expect(left(renamed, "flushed")).toEqual({ a: "one" });
  expect(left([...renamed, flush("folder")], "flushed")).toEqual({ b: "one" });
  const seen = new Set(Array.from({ length: 20 }, (_, seed) => JSON.stringify(left(renamed, "torn", seed))));
  expect(seen).toEqual(new Set([`{"a":"one"}`, `{"b":"one"}`]));
});

test("sectors of a write survive one by one, in any order", () => {
  const whole = "1".repeat(512) + "2".repeat(512) + "3".repeat(512);
  const written = [openFolder, open("1", "/disk/a"), flush("folder"), write("1", 0, whole)];
  const seen = new Set<string>();
  for (let seed = 0; seed < 200; seed += 1) {
    const { a = "" } = left(written, "torn", seed);
    seen.add([0, 512, 1024].map((from) => (a[from] ?? "-").replace("\0", "0")).join(""));
  }
  expect(seen).toEqual(new Set(["---", "1--", "02-", "003", "12-", "103", "023", "123"]));
});

test("a removed name keeps its file until its folder is flushed", () => {
  const removed: Operation[] = [
    openFolder,
    open("1", "/disk/a"),
    write("1", 0, "one"),
    flush("1"),
    flush("folder"),
    { kind: "remove", path: "/disk/a" },
  ];
  expect(left(removed, "flushed")).toEqual({ a: "one" });
  expect(left(removed, "all")).toEqual({});
  expect(left([...removed, flush("folder"), open("2", "/disk/a")], "flushed")).toEqual({});
});

test("a folder that was not flushed takes its files with it", () => {
  const made: Operation[] = [
    openFolder,
    { kind: "mkdir", path: "/disk/data" },
    open("inner", "/disk/data", false),
    open("1", "/disk/data/a"),
    write("1", 0, "one"),
    flush("1"),
    flush("inner"),
  ];
  expect(left(made, "flushed")).toEqual({});
  expect(left([...made, flush("folder")], "flushed")).toEqual({ a: "one" });
});
