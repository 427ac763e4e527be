import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { afterAll, afterEach, expect, test } from "vitest";

import {
  findProcessUse,
  type GuardedProcess,
  type GuardedProcessOptions,
  startGuardedProcess,
} from "./guarded-process.ts";

interface Question {
  /** So many bytes more are kept. */
  readonly hold?: number;
  /** So long nothing is done, or something for ever. */
  readonly wait?: number | "busy";
}

const folder = mkdtempSync(join(tmpdir(), "guarded-"));
const entry = join(folder, "process.mjs");
writeFileSync(
  entry,
  `const held = [];
  process.on("message", ({ hold = 0, wait = 0 }) => {
    held.push(Buffer.alloc(hold, 1));
    if (wait === "busy") for (;;);
    setTimeout(() => process.send("done"), wait);
  });
  process.on("disconnect", () => process.exit());`,
);
const objects = join(folder, "objects.mjs");
writeFileSync(objects, `process.on("message", () => process.send({ text: "done" }));`);
const started: GuardedProcess<Question, string>[] = [];
const start = (limits: Partial<GuardedProcessOptions>): GuardedProcess<Question, string> => {
  const options = { entry, cwd: folder, timeoutMs: 60_000, memoryBytes: 2 ** 40, ...limits };
  const made = startGuardedProcess<Question, string>(options, (message) => typeof message === "string");
  started.push(made);
  return made;
};
afterEach(() => Promise.all(started.splice(0).map((each) => each.kill())));
afterAll(() => rmSync(folder, { recursive: true }));

const megabyte = 1024 * 1024;
/** Longer than several looks at the process. */
const seenMs = 200;
const seesProcesses = findProcessUse(process.pid) !== undefined;

test.skipIf(!seesProcesses)("waiting costs no time of processors, and working does", async () => {
  const made = start({ cpuMs: 1_500 });
  expect(await made.ask({ wait: 2_000 })).toBe("done");
  expect(await made.ask({ wait: "busy" })).toEqual({ kind: "out_of_cpu_time" });
  expect(made.alive).toBe(false);
});

test("an answer can be collected while the process lives", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const made = startGuardedProcess<object, object>(
    { entry: objects, cwd: folder, timeoutMs: 60_000, memoryBytes: 2 ** 40 },
    (message): message is object => typeof message === "object" && message !== null,
  );
  try {
    const answers: WeakRef<object>[] = [];
    for (let asked = 0; asked < 3; asked += 1) answers.push(new WeakRef(await made.ask({})));
    // The channel may hold the last one.
    await made.ask({});
    await nextTurn();
    collect();
    expect(made.alive).toBe(true);
    expect(answers.map((answer) => answer.deref())).toEqual([undefined, undefined, undefined]);
  } finally {
    await made.kill();
  }
});

test("a process that is idle for too long is stopped", async () => {
  expect(await start({ timeoutMs: 300 }).ask({ wait: 1_000_000 })).toEqual({ kind: "timeout" });
});

test.skipIf(!seesProcesses)("memory of answers before is not charged to the next one", async () => {
  const made = start({ memoryBytes: 200 * megabyte });
  const large = { hold: 300 * megabyte, wait: seenMs };
  expect(await made.ask(large, undefined, { time: 1, memory: 10 })).toBe("done");
  expect(made.findMemory()).toBeGreaterThan(300 * megabyte);
  expect(await made.ask({ wait: seenMs })).toBe("done");
  expect(await made.ask(large)).toEqual({ kind: "out_of_memory" });
});

test("a process that cannot be started for want of file descriptors answers that it died", () => {
  const script = join(folder, "full.mjs");
  writeFileSync(
    script,
    `import { openSync } from "node:fs";
    import { startGuardedProcess } from ${JSON.stringify(import.meta.resolve("./guarded-process.ts"))};
    try { for (;;) openSync("/dev/null"); } catch {}
    const limits = { timeoutMs: 60_000, memoryBytes: 2 ** 40 };
    const made = startGuardedProcess({ entry: ${JSON.stringify(entry)}, cwd: "/", ...limits }, (message) => message === "done");
    console.log(JSON.stringify([await made.ask({}), await made.ask({}), made.alive]));`,
  );
  const command = `ulimit -n 100; exec "$0" --disable-warning=ExperimentalWarning "$1"`;
  const said = execFileSync("sh", ["-c", command, process.execPath, script], { encoding: "utf8" });
  expect(JSON.parse(said)).toEqual([{ kind: "died" }, { kind: "died" }, false]);
});
