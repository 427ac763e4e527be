import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, it } from "vitest";

import { exampleSource, putSource, setValue } from "../conformance/examples.cases.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { checkpointPages } from "./data-file.ts";
import { openSqliteStore } from "./sqlite.ts";

const folders: string[] = [];
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-checkpoints-"));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const pageBytes = 4096;
const noteBytes = 100_000;

it("commits go on while a thread copies the log, which then starts over", async () => {
  const folder = makeFolder();
  const store = await openSqliteStore({ folder });
  const file = join(folder, "x.db");
  const observer = new DatabaseSync(file, { readOnly: true });
  const sizeOfLog = (): number => Number(observer.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]);
  await store.commit([putSource(exampleSource("dc_1"))]);
  let notes = 0;
  const add = (): Promise<void> => store.commit([setValue("dc_1", `n${(notes += 1)}`, "x".repeat(noteBytes))]);
  for (let added = 0; added < checkpointPages * pageBytes; added += noteBytes) await add();
  const longest = sizeOfLog();
  await expect
    .poll(async () => {
      await add();
      return sizeOfLog();
    })
    .toBeLessThan(longest);
  observer.close();
  await store.close();
  expect(existsSync(`${file}-wal`)).toBe(false);

  const again = await openSqliteStore({ folder });
  expect((await again.db("dc_1")).size).toBe(notes);
  await again.close();
});

it("where the thread cannot work, the connection makes checkpoints in its commits", async () => {
  const database = new DatabaseSync(join(makeFolder(), "x.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE notes (text)");
  const checkpoints = createCheckpoints(database, join(makeFolder(), "absent", "x.db"));
  database.prepare("INSERT INTO notes VALUES (?)").run("x".repeat(checkpointPages * pageBytes));
  checkpoints.committed(16);
  const pages = (): unknown => database.prepare("PRAGMA wal_autocheckpoint").get()?.["wal_autocheckpoint"];
  await expect.poll(pages).toBe(checkpointPages);
  await checkpoints.close();
  database.close();
});
