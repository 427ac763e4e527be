import { expect, test } from "vitest";

import type { ExecutionSummary } from "../../../model/src/execution-model.ts";
import type { Change } from "../contract.ts";
import type { ExecutionQuery } from "../queries.ts";
import { exampleExecution, exampleSource, putSource } from "./examples.cases.ts";
import type { GetStore } from "./given-store.cases.ts";

const add = (id: string, override: Partial<ExecutionSummary> = {}, bytes = 1_000): Change => ({
  op: "execution.add",
  execution: exampleExecution(id, override, bytes),
});
const trim = (keep: number, keepFailed: number, bytes?: number): Change => ({
  op: "executions.trim",
  sourceId: "dc_1",
  keep,
  keepFailed,
  ...(bytes !== undefined && { bytes }),
});
const ids = ({ items }: { readonly items: readonly ExecutionSummary[] }): string[] => items.map(({ id }) => id);
const ofSource = (keep: number, keepFailed: number): Pick<ExecutionQuery, "source"> => ({
  source: { id: "dc_1", kept: { keep, keepFailed } },
});

/** Stored executions. */
export function describeExecutions(get: GetStore): void {
  const list = async (query: Partial<ExecutionQuery> = {}, userId = "u_1"): Promise<string[]> =>
    ids(await get().executions(userId, { limit: 100, ...query }));

  test("an execution is read whole by its id, and without its details in a list", async () => {
    const execution = exampleExecution("e1");
    await get().commit([{ op: "execution.add", execution }]);
    const { summary } = execution;
    expect(await get().execution("e1")).toEqual(execution);
    expect(await get().executions("u_1", { limit: 10 })).toEqual({ totalCount: 1, items: [summary] });
    expect(await get().execution("e2")).toBeUndefined();
  });

  test("executions are searched by a text in their summary or details, in either case of ASCII letters", async () => {
    await get().commit([
      add("e1", { summary: "Order Ä-7 %_" }, 500),
      add("e2", { error: { code: "x", name: "E", message: "no" } }, 600),
    ]);
    const search = async (text: string): Promise<string[]> =>
      (await get().searchExecutions(["e1", "e2", "e3"], text)).filter(({ found }) => found).map(({ id }) => id);
    expect(await search("oRDER Ä-7 %_")).toEqual(["e1"]);
    expect(await search("order ä")).toEqual([]);
    expect(await search("e_ror")).toEqual([]);
    const { event } = exampleExecution("e1").detail;
    expect((await search(JSON.stringify(event).slice(1, -1))).toSorted()).toEqual(["e1", "e2"]);
    const sizes = (await get().searchExecutions(["e1", "e2", "e3"], "-")).map(({ id, bytes }) => `${id} ${bytes}`);
    expect(sizes.toSorted()).toEqual(["e1 500", "e2 600"]);
  });

  test("an execution that is added again replaces the first", async () => {
    await get().commit([add("e1"), add("e2")]);
    await get().commit([add("e1", { status: "error" })]);
    expect((await get().execution("e1"))?.summary.status).toBe("error");
    expect((await list()).toSorted()).toEqual(["e1", "e2"]);
  });

  test("lists are of one user, or of one source, newest commit first, whatever the ids", async () => {
    await get().commit([add("e3"), add("e1", { sourceId: "dc_2" })]);
    await get().commit([add("e2"), add("e4", { userId: "u_2", sourceId: "dc_3" })]);
    expect(await list()).toEqual(["e2", "e1", "e3"]);
    expect(await list({}, "u_2")).toEqual(["e4"]);
    expect(await list(ofSource(10, 10))).toEqual(["e2", "e3"]);
  });

  test("lists are filtered by status and by the time of the end", async () => {
    await get().commit([
      add("e1", { endedAt: 1_000 }),
      add("e2", { status: "error", endedAt: 2_000 }),
      add("e3", { status: "timeout", endedAt: 3_000 }),
      add("e4", { endedAt: 4_000 }),
    ]);
    expect(await list({ status: "ok" })).toEqual(["e4", "e1"]);
    expect(await list({ status: "timeout" })).toEqual(["e3"]);
    expect(await list({ status: "failed" })).toEqual(["e3", "e2"]);
    expect(await list({ since: 3_000 })).toEqual(["e4", "e3"]);
    expect((await get().executions("u_1", { limit: 1, status: "failed", since: 2_500 })).totalCount).toBe(1);
  });

  test("pages continue at their cursors, also at those of executions that are no longer stored", async () => {
    for (const id of ["e1", "e2", "e4", "e5"]) await get().commit([add(id)]);
    expect(await list({ limit: 2 })).toEqual(["e5", "e4"]);
    expect(await list({ limit: 2, after: "e4" })).toEqual(["e2", "e1"]);
    expect(await list({ limit: 2, before: "e1" })).toEqual(["e4", "e2"]);
    expect(await list({ after: "e3" })).toEqual(["e2", "e1"]);
    expect(await list({ before: "e3" })).toEqual(["e5", "e4"]);
    expect(await list({ after: "e0" })).toEqual([]);
    expect(await list({ before: "e0" })).toEqual(["e5", "e4", "e2", "e1"]);
    // One of another user is like one that is not stored.
    await get().commit([add("e3", { userId: "u_2", sourceId: "dc_2" })]);
    expect(await list({ after: "e3" })).toEqual(["e2", "e1"]);
  });

  test("a trim keeps the newest of its source, and the newest failed ones", async () => {
    const failed = { status: "error" } as const;
    await get().commit([add("e1", failed), add("e2", failed), add("e3"), add("e4"), add("e5"), add("e6")]);
    await get().commit([add("x1", { sourceId: "dc_2" }), trim(2, 1)]);
    expect(await list()).toEqual(["x1", "e6", "e5", "e2"]);
    await get().commit([trim(10, 10)]);
    expect(await list()).toEqual(["x1", "e6", "e5", "e2"]);
  });

  test("the list of a source shows the kept executions only, also before the trim", async () => {
    await get().commit([
      add("e1", { status: "error" }),
      add("e2", { status: "timeout" }),
      add("e3"),
      add("e4"),
      add("e5"),
    ]);
    expect(await list(ofSource(2, 1))).toEqual(["e5", "e4", "e2"]);
    expect((await get().executions("u_1", { limit: 1, ...ofSource(2, 1) })).totalCount).toBe(3);
    expect(await list({ ...ofSource(2, 1), status: "failed" })).toEqual(["e2"]);
    expect(await list({ ...ofSource(0, 0) })).toEqual([]);
  });

  test("a trim keeps at most so many bytes, and the newest in any case", async () => {
    await get().commit([add("e1"), add("e2"), add("e3"), trim(10, 10, 2_500)]);
    expect(await list()).toEqual(["e3", "e2"]);
    await get().commit([add("e4", {}, 9_000), trim(10, 10, 2_500)]);
    expect(await list()).toEqual(["e4"]);
  });

  test("a commit that fails adds no execution", async () => {
    const source = exampleSource("dc_1", { endpoints: { http: "same" } });
    await get().commit([putSource(source), add("e1")]);
    const taken = putSource(exampleSource("dc_2", { endpoints: { http: "same" } }));
    await expect(get().commit([add("e2"), trim(0, 0), taken])).rejects.toMatchObject({ code: "store_failed" });
    expect(await list()).toEqual(["e1"]);
  });

  test("the executions of a source are deleted with it", async () => {
    await get().commit([putSource(exampleSource("dc_1")), add("e1"), add("e2", { sourceId: "dc_2" })]);
    await get().commit([{ op: "source.delete", id: "dc_1" }]);
    expect(await list()).toEqual(["e2"]);
    expect(await get().execution("e1")).toBeUndefined();
  });
}
