import { rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { type RunningHere, startHere } from "../run-here.cases.ts";
import { makeFolder, spawnX, type Spawned } from "../spawned.cases.ts";

const feed = `import { word } from "./word.js";
export default { name: "Feed", version: "1", props: { db: "$.service.db" },
  run() { console.log("kept"); this.$emit({ word }); this.db.set("last", word); } };
`;
const word = (text: string): string => `export const word = "${text}";\n`;

/** Beside the folder, where nobody watches: what is written in place is empty for a moment, which a watcher may see. */
const draftOf = (folder: string): string => `${folder}.draft`;

async function save(folder: string, file: string, text: string): Promise<void> {
  await writeFile(draftOf(folder), text);
  await rename(draftOf(folder), join(folder, file));
}

const watch = (cwd: string, ...args: readonly string[]): Spawned =>
  spawnX(["run", "feed.js", "--watch", ...args], { cwd });
/** The same without a process of its own. */
const watchHere = (cwd: string, ...args: readonly string[]): RunningHere =>
  startHere(["run", "feed.js", "--watch", ...args], { cwd });

test("each save of one of its files runs it again and marks the differences; SIGINT ends it, exit 0", async () => {
  await using folder = await makeFolder({ "feed.js": feed, "word.js": word("one") });
  await using x = watch(folder.path);
  await x.printed(
    /^run {2}ok {2}1 emitted .*\n {2}event {2}\{"word":"one"\}\n {2}log {4}kept\ndb\n {2}last = "one"\n\nWatching\n/,
  );

  await save(folder.path, "word.js", word("two"));
  await x.printed(
    /word\.js changed\n {2}run {2}ok .*\n- {3}event {2}\{"word":"one"\}\n\+ {3}event {2}\{"word":"two"\}\n {4}log {4}kept\n {2}db\n- {3}last = "one"\n\+ {3}last = "two"\n/,
  );

  await save(folder.path, "word.js", 'export const word = "three\n');
  await x.printed(/word\.js changed\nerror\[bundle_failed\]: .*\n {2}word\.js:1:\d+: Unterminated string literal\n/);
  await save(folder.path, "word.js", word("four"));
  // Compared with the last that ran.
  await x.printed(/\n- {3}event {2}\{"word":"two"\}\n\+ {3}event {2}\{"word":"four"\}\n {4}log {4}kept\n/);
  x.child.kill("SIGINT");
  expect([await x.exit, x.err()]).toEqual([0, ""]);
});

test("a link that leads elsewhere, and a file that comes in the way of another, count as changes", async () => {
  const reader = feed.replace("./word.js", "./words/word");
  await using folder = await makeFolder({
    "feed.js": reader,
    "a/word.ts": word("a"),
    "b/word.ts": word("b"),
  });
  const link = join(folder.path, "words");
  await symlink("a", link);
  await using x = watchHere(folder.path);
  await x.printed(/event {2}\{"word":"a"\}\n[^]*Watching\n/);
  await symlink("b", draftOf(folder.path));
  await rename(draftOf(folder.path), link);
  await x.printed(/words changed\n[^]*\+ {3}event {2}\{"word":"b"\}\n/);
  await save(folder.path, "b/word.js", word("b in JavaScript"));
  await x.printed(/b\/word\.js changed\n[^]*\+ {3}event {2}\{"word":"b in JavaScript"\}\n/);
  x.hear("SIGTERM");
  expect(await x.exit).toBe(0);
});

test("S38 the package.json beside the file counts as one of its files, also one that is new", async () => {
  const manifest = (range: string): string => JSON.stringify({ dependencies: { words: range } });
  await using folder = await makeFolder({
    "feed.js": feed.replace("./word.js", "words"),
    "node_modules/words/package.json": JSON.stringify({ name: "words", version: "1.2.0" }),
    "node_modules/words/index.js": `exports.word = "one";`,
  });
  await using x = watchHere(folder.path);
  await x.printed(/packages\n {2}words 1\.2\.0 {2}\(installed beside the file\)\n[^]*Watching\n/);
  await save(folder.path, "package.json", manifest("^1.0.0"));
  await x.printed(/package\.json changed\n[^]*\+ {3}words 1\.2\.0 {2}\(\^1\.0\.0 in package\.json\)\n/);
  await save(folder.path, "package.json", manifest("1.x"));
  await x.printed(/package\.json changed\n[^]*\+ {3}words 1\.2\.0 {2}\(1\.x in package\.json\)\n/);
  x.hear("SIGTERM");
  expect(await x.exit).toBe(0);
});

test("--json prints one object per attempt with the changed files; x waits for a missing file", async () => {
  await using folder = await makeFolder({ "feed.js": feed });
  await using x = watchHere(folder.path, "--json");
  const [failed] = await x.printed(/^\{"error":.*$/m);
  expect(JSON.parse(failed)).toMatchObject({ error: { code: "bundle_failed" }, exit_code: 1, changed: [] });
  await save(folder.path, "word.js", word("now"));
  const [done] = await x.printed(/^\{"component":.*$/m);
  expect(JSON.parse(done)).toMatchObject({
    runs: [{ emitted: [{ event: { word: "now" } }] }],
    exit_code: 0,
    changed: ["word.js"],
  });
  x.hear("SIGTERM");
  expect(await x.exit).toBe(0);
});
