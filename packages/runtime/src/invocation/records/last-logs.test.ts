import { afterAll, beforeAll, expect, test } from "vitest";

import { openTrial, removeFolders, type Trial } from "../../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(async () => {
  await trial.runtime.close();
  removeFolders();
});

async function logsOf(body: string): Promise<(string | undefined)[]> {
  const code = `export default { name: "L", version: "1", async run() { ${body} } };`;
  const { source } = await trial.runtime.deploy({ code });
  const { logs } = await trial.runtime.invoke(source.id);
  return logs.map(({ k, msg }) => (k === "err" ? k : msg));
}

const numbers = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => `${from + at}`);
const dropped = (count: number): string => `${count} log records of this run were dropped: the last 100 are kept`;

test("S32 a run may log 100 records without a warning", async () => {
  expect(await logsOf(`for (let n = 0; n < 100; n++) console.log(n);`)).toEqual(numbers(0, 100));
});

test.each([101, 150, 999, 1_000, 1_001, 1_100, 1_101, 5_000])(
  "S32 keeps the last 100 of %i, and counts the others",
  async (n) => {
    const logs = await logsOf(`for (let n = 0; n < ${n}; n++) console.log(n);`);
    expect(logs).toEqual([...numbers(n - 100, n), dropped(n - 100)]);
  },
);

test("S32 keeps the log records right before a failure", async () => {
  const logs = await logsOf(`for (let n = 0; n < 2_000; n++) { console.log(n); await null; } throw new Error("boom");`);
  expect(logs).toEqual([...numbers(1_900, 2_000), dropped(1_900), "err"]);
});

test("S32 unhandled rejections count as records", async () => {
  const logs = await logsOf(`for (let n = 0; n < 150; n++) Promise.reject(n);`);
  expect(logs).toHaveLength(101);
  expect(logs.at(-1)).toBe(dropped(50));
  expect(logs.at(-2)).toContain("Error: 149");
});
