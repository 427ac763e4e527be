import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { makeFolder, runX, spawnX } from "../spawned.cases.ts";
import { counter, countIn, countingService, startLoad } from "./counting-load.cases.ts";

test("a backup of a service under load has every acknowledged request, and a service on the restored folder goes on", async () => {
  await using folder = await makeFolder({ "counter.js": counter });
  const cwd = folder.path;
  const load = await startLoad(cwd, ["--data", "data"]);
  await using _service = load.service;
  await load.more(50);
  const before = [...load.acknowledged];
  const during = load.more(1);
  const made = await runX(["backup", "monday.db", "--data", "data", "--json"], { cwd });
  await during;
  expect([made.code, made.err, JSON.parse(made.out)]).toMatchObject([0, "", { data: "data", key: "file" }]);
  await load.stop();
  const copy = countIn(join(cwd, "monday.db"));
  expect(copy.sent.length).toBe(copy.n);
  expect(copy.n + copy.waiting).toBeGreaterThanOrEqual(before.length);
  expect(load.acknowledged.size).toBeGreaterThan(copy.n);

  const inUse = await runX(["restore", "monday.db", "--data", "data"], { cwd });
  expect([inUse.code, inUse.err]).toEqual([4, expect.stringContaining("error[store_locked]") as string]);
  const restored = await runX(["restore", "monday.db", "--data", "new", "--key-file", "data/x.key"], { cwd });
  expect([restored.code, restored.out]).toEqual([0, "new has the data of monday.db; start it: x serve --data new\n"]);
  await using again = spawnX(["serve", ...countingService.flags, "--data", "new"], { cwd, env: countingService.env });
  const [, url = ""] = await again.printed(/"base_url":"([^"]+)"/);
  await expect.poll(() => countIn(join(cwd, "new/x.db")).waiting).toBe(0);
  const counted = countIn(join(cwd, "new/x.db"));
  expect(counted.sent.length).toBe(counted.n);
  expect(new Set(counted.sent).size).toBe(counted.n);
  expect(before.filter((number) => !counted.sent.includes(number))).toEqual([]);
  const headers = { authorization: `Bearer ${countingService.env.X_API_KEY}` };
  expect(await (await fetch(`${url}/users/me/sources`, { headers })).json()).toMatchObject({
    data: [{ name_slug: "counter" }],
  });
});

test("what a killed backup left is replaced by the next one, which says where the key is", async () => {
  await using folder = await makeFolder({ "a.db.part": "a part" });
  const cwd = folder.path;
  const x = (...args: readonly string[]) => runHere(args, { cwd });
  expect((await x("users", "add", "ada", "--data", "data")).code).toBe(0);
  const made = await x("backup", "a.db", "--data", "data");
  expect([made.code, made.out]).toEqual([
    0,
    expect.stringMatching(
      /^a\.db: a backup of data, [\d.]+ KiB\nIts secrets need data\/x\.key, which is not in it: keep a copy of that file in another place\.\n$/,
    ) as string,
  ]);
  expect(readdirSync(cwd).filter((name) => name.startsWith("a.db"))).toEqual(["a.db"]);
});

test("command lines that cannot work say what to do, and make nothing", async () => {
  await using folder = await makeFolder();
  const x = (...args: readonly string[]) => runHere(args, { cwd: folder.path });
  for (const [args, code, text] of [
    [["backup"], 2, "Which FILE: x backup FILE?"],
    [["backup", "a", "b"], 2, '"b" is one argument too many'],
    [["backup", "a"], 4, "there is no data in .x; set --data to another folder"],
    [["restore"], 2, "Which FILE: x restore FILE?"],
    [["restore", "a"], 2, "There is no file a"],
    [["restore", "a", "--data", "b"], 2, "There is no file a"],
  ] as const) {
    const ended = await x(...args);
    expect([ended.code, ended.out, ended.err], args.join(" ")).toEqual([
      code,
      "",
      expect.stringContaining(text) as string,
    ]);
  }
  expect(readdirSync(folder.path)).toEqual([]);
});
