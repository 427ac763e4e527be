import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** An input that once failed. */
export interface FoundCase {
  readonly file: string;
  /** What was wrong, in a sentence. */
  readonly about: string;
  readonly input: unknown;
}

const root = fileURLToPath(new URL("found", import.meta.url));

/** The kept inputs of a fuzzer, by the names of their files. */
export function readFound(name: string): FoundCase[] {
  const folder = join(root, name);
  const entries = readdirSync(root).includes(name) ? readdirSync(folder).toSorted() : [];
  return entries.map((file) => {
    const { about, input } = JSON.parse(readFileSync(join(folder, file), "utf8")) as FoundCase;
    return { file, about, input };
  });
}

/** Keeps an input; returns its path. The same input has the same one. */
export function writeFound(name: string, about: string, input: unknown): string {
  const text = JSON.stringify({ about: about.slice(0, 200), input }, undefined, 2);
  const hash = createHash("sha256").update(JSON.stringify(input)).digest("hex").slice(0, 10);
  const file = join(root, name, `${hash}.json`);
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(file, `${text}\n`);
  return file;
}
