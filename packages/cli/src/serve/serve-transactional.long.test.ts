import { expect, test } from "vitest";

import { startHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const breaks = (name: string, members: string): string =>
  `export default { name: "${name}", version: "1", ${members} run() { this.$emit({ seen: 1 }); throw new Error("late"); } };`;
const headers = { authorization: "Bearer transactional-test-key" };

/** How many events a run that fails leaves of each of the two files. */
async function eventsAfterFailure(cwd: string, ...flags: readonly string[]): Promise<number[]> {
  const args = ["--port", "0", "--data", `data${flags.length}`, "--api-key", "transactional-test-key", ...flags];
  await using x = startHere(["serve", "a.js", "b.js", ...args], { cwd });
  const [, url = ""] = await x.printed(/^Serving on (\S+)$/m);
  const counts: number[] = [];
  for (const name of ["a", "b"]) {
    const [, id = ""] = await x.printed(new RegExp(`^Source ${name} \\((dc_\\w+), \\w+\\)`, "m"));
    const run = await fetch(`${url}/sources/${id}/run`, { method: "POST", headers });
    expect(await run.json()).toMatchObject({ data: { status: "error" } });
    const answer = await fetch(`${url}/sources/${id}/event_summaries`, { headers });
    counts.push(((await answer.json()) as { data: unknown[] }).data.length);
  }
  return counts;
}

test("with --transactional a run that throws leaves nothing, unless its component says otherwise", async () => {
  await using folder = await makeFolder({ "a.js": breaks("a", ""), "b.js": breaks("b", "transactional: false,") });
  expect(await eventsAfterFailure(folder.path)).toEqual([1, 1]);
  expect(await eventsAfterFailure(folder.path, "--transactional")).toEqual([0, 1]);
});
