import { readFile, rename, symlink, writeFile } from "node:fs/promises";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createRuntime, systemClock, XError } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { openDevState } from "./dev-state.ts";
import { createDevAccounts } from "./dev-accounts.ts";
import { createDevFile, type DevFile, type Loaded } from "./dev-file.ts";
import type { DevEmitter } from "./emitter.ts";
import { createFileWatch } from "./file-watch.ts";
import type { DevMessage } from "./message.ts";
import { createReloader } from "./reloader.ts";
import { createTasks } from "./tasks.ts";

test("a change that waits for a run is reported once per wait, for any number of attempts", async () => {
  await using folder = await makeFolder({ "a.js": "" });
  const path = join(folder.path, "a.js");
  const emitter = {
    id: "dc_1",
    name: "a",
    deploymentId: "d",
    endpoints: [],
    hasTimer: false,
    appsWithoutAccount: [],
    appHooks: [],
    shape: undefined,
    start: () => ({}),
  };
  const busy: Loaded = { ok: false, error: new XError("busy", ["dc_1"]) };
  const loaded = (change: "updated" | "unchanged"): Loaded => ({
    ok: true,
    emitter,
    change,
    differences: [],
    newEndpoints: [],
  });
  // By what the file holds: how often it is read, depends on the machine.
  const answers: { [text: string]: Loaded[] } = {
    "1": [busy, busy, loaded("updated")],
    "2": [busy, loaded("updated")],
  };
  const file: DevFile = {
    shown: "a.js",
    root: folder.path,
    emitter,
    paths: { own: new Set([path]), packages: new Set() },
    readShape: () => Promise.resolve(undefined),
    nameOf: () => "a.js",
    load: async () => answers[await readFile(path, "utf8")]?.shift() ?? loaded("unchanged"),
  };
  const told: string[] = [];
  let updates = Promise.withResolvers<void>();
  const print = (message: DevMessage): void =>
    void told.push(message.message === "note" ? message.text.replace(/;.*/, "") : message.message);
  const tasks = createTasks((error) => told.push(String(error)));
  const reloader = createReloader({
    tickOf: () => Promise.resolve({}),
    files: [file],
    clock: systemClock,
    tasks,
    print,
    updated: () => updates.resolve(),
  });
  reloader.start(new Map([[file, loaded("unchanged")]]));
  for (const text of ["1", "2"]) {
    await writeFile(path, text);
    await updates.promise;
    updates = Promise.withResolvers();
  }
  reloader.close();
  await tasks.ended();
  const waits = "a.js is updated when its run has ended";
  expect(told).toEqual([waits, "changed", waits, "changed"]);
});

const engine = await testEngine();

const feed = `import { word } from "./in/now/word"; export default { name: word, version: "1", run() {} };`;
const word = (text: string): string => `export const word = "${text}";`;

/** Follows `feed.js` while `work` changes files; `written` is called when it has been read, and not deployed yet. */
async function following(
  written: (folder: string) => void,
  work: (folder: string, next: () => Promise<string>) => Promise<void>,
): Promise<void> {
  await using folder = await makeFolder({
    "feed.js": feed,
    "in/none.txt": "",
    "a/word/index.js": word("a"),
    "b/word/index.js": word("b"),
  });
  await symlink("../a", join(folder.path, "in/now"));
  await using runtime = await createRuntime({ engine });
  const state = openDevState(folder.path);
  const accounts = createDevAccounts({ accounts: {}, state, runtime });
  const real = createDevFile({
    file: join(folder.path, "feed.js"),
    root: folder.path,
    props: {},
    accounts,
    state,
    runtime,
  });
  const file: DevFile = Object.create(real, {
    load: {
      value: (noted: () => void) =>
        real.load(() => {
          written(folder.path);
          noted();
        }),
    },
  }) as DevFile;
  const names: string[] = [];
  let heard = Promise.withResolvers<void>();
  const updated = ({ shape }: DevEmitter): void => {
    names.push(shape?.name ?? "");
    heard.resolve();
  };
  const tasks = createTasks((error) => heard.reject(error));
  const reloader = createReloader({
    tickOf: () => Promise.resolve({}),
    files: [file],
    clock: systemClock,
    tasks,
    print: () => undefined,
    updated,
  });
  const first = await reloader.read(file);
  expect(first).toMatchObject({ ok: true, emitter: { name: "a" } });
  reloader.start(new Map([[file, first]]));
  await work(folder.path, async () => {
    await heard.promise;
    heard = Promise.withResolvers();
    return names.at(-1) ?? "";
  });
  reloader.close();
  await tasks.ended();
}

test.each<[string, (folder: string) => Promise<void>]>([
  [
    "a link on the way leads elsewhere",
    async (folder) => {
      await symlink("../b", join(folder, "in/now~"));
      await rename(join(folder, "in/now~"), join(folder, "in/now"));
    },
  ],
  ["a file comes before the index of a folder", (folder) => writeFile(join(folder, "a/word.js"), word("b"))],
  [
    "a folder above takes the place of another",
    (folder) => {
      renameSync(join(folder, "a"), join(folder, "c"));
      renameSync(join(folder, "b"), join(folder, "a"));
      return Promise.resolve();
    },
  ],
])("an import means another file, and that is seen: %s", async (_, change) => {
  await following(
    () => undefined,
    async (folder, next) => {
      await change(folder);
      expect(await next()).toBe("b");
    },
  );
});

test.each<[string, (folder: string) => void]>([
  ["edited", (folder) => writeFileSync(join(folder, "a/word/index.js"), word("b"))],
  ["replaced", (folder) => renameSync(join(folder, "b/word/index.js"), join(folder, "a/word/index.js"))],
])("a file that is %s after it was read, and before its folder is watched, is read again", async (_, change) => {
  let done = false;
  const once = (folder: string): void => {
    if (!done) change(folder);
    done = true;
  };
  await following(once, async (_folder, next) => expect(await next()).toBe("b"));
});

test("a link that leads in a circle does not keep other files from being followed", async () => {
  await using folder = await makeFolder({ "b.js": "" });
  await symlink("circle", join(folder.path, "circle"));
  const [inCircle, other] = [join(folder.path, "circle/a.js"), join(folder.path, "b.js")];
  const told = Promise.withResolvers<readonly string[]>();
  const watch = createFileWatch({
    root: folder.path,
    clock: systemClock,
    changed: told.resolve,
    failed: (_folder, error) => told.reject(error),
  });
  watch.followAll({ own: new Set([inCircle, other]), packages: new Set() });
  writeFileSync(other, "1");
  expect(await told.promise).toEqual([other]);
  watch.close();
});
