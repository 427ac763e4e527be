import { afterEach, beforeEach, expect, test } from "vitest";

import { sha256Hex } from "../../../model/src/process/sha256.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { createTextPacker, unpackText } from "./packed-text.ts";
import { resemblanceOf } from "./resemblance.ts";

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE text (hash TEXT, family TEXT, data BLOB)");
});
afterEach(() => database.close());

/** Text that zstd can hardly shorten, the same for the same name. */
const varied = (name: string, chars: number): string =>
  Array.from({ length: chars / 64 }, (_, n) => sha256Hex(`${name} ${n}`)).join("");

/** Stores texts without a known family; returns the bytes that they take, and reads each of them again. */
function store(texts: readonly string[]): number {
  const packer = createTextPacker(database);
  const add = database.prepare("INSERT INTO text (hash, family, data) VALUES (?, ?, ?)");
  const dataOf = (hash: string): Uint8Array =>
    database.prepare("SELECT data FROM text WHERE hash = ?").get(hash)?.["data"] as Uint8Array;
  for (const text of texts) {
    const row = packer.pack(sha256Hex(text), null, text);
    if (row) add.run(...row);
  }
  for (const text of texts) expect(unpackText(dataOf(sha256Hex(text)), dataOf)).toBe(text);
  return Number(database.prepare("SELECT sum(length(data)) AS bytes FROM text").get()?.["bytes"]);
}

const large = varied("shared", 256_000);
const lines = large.replaceAll(/.{32}/g, "$&\n");
const own = (n: number): string => `const own${n} = "${varied(String(n), 640)}";\n`;
const forms: Readonly<Record<string, (n: number) => string>> = {
  "behind their own part": (n) => own(n) + lines,
  "before their own part": (n) => lines + own(n),
  "between their own parts": (n) => own(n) + lines + own(-n),
  "on one line": (n) => `${own(n)}const table = "${large}";`,
  "as a text of JSON": (n) => JSON.stringify({ sources: [`${n}.mjs`, "large.mjs"], sourcesContent: [own(n), lines] }),
  "beside half a character": (n) => `${own(n)}"\ud800"; ${large}`,
};

test.each(Object.entries(forms))(
  "texts that have most in common %s take its space a few times at most",
  (_place, form) => {
    const alone = store([form(0)]);
    database.exec("DELETE FROM text");
    // The smallest part of one in a hundred is in its own part.
    expect(store(Array.from({ length: 20 }, (_, n) => form(n)))).toBeLessThan(3 * alone);
  },
);

test("texts that have nothing in common are packed without each other", () => {
  const texts = ["a", "b", "c"].map((name) => varied(name, 64_000));
  expect(new Set(texts.map((text) => resemblanceOf(Buffer.from(text)))).size).toBe(3);
  const together = store(texts);
  database.exec("DELETE FROM text");
  const single = texts.map((text) => {
    database.exec("DELETE FROM text");
    return store([text]);
  });
  expect(together).toBe(single.reduce((sum, bytes) => sum + bytes, 0));
});

test("short texts have no family", () => {
  expect(resemblanceOf(Buffer.from("x".repeat(4_000)))).toBeNull();
  expect(createTextPacker(database).pack("h", null, "x".repeat(4_000))?.[1]).toBeNull();
});
