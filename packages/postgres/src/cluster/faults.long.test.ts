import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { XError } from "@x/runtime";
import { slotOf } from "@x/runtime/store";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { addEvent, addTrigger, exampleEvent, exampleTrigger } from "../../../store/src/conformance/examples.cases.ts";
import { startCutProxy } from "../cut-proxy.cases.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../server.cases.ts";
import { bytes, eventually, openNode, ownedBy, type TestNode, textOf } from "./node.cases.ts";
import { defaultTiming } from "./timing.ts";

const reason = await missingServer();

/** A node in a process of its own. */
interface ChildNode {
  readonly id: string;
  /** The number of acknowledged events of each source. */
  readonly done: ReadonlyMap<string, number>;
  /** What it said apart from them. */
  readonly said: readonly string[];
  kill(signal: NodeJS.Signals): void;
}

describe.skipIf(reason !== undefined)("a node that fails", () => {
  let schema = "";
  let nodes: TestNode[] = [];
  beforeEach(() => {
    schema = newSchema();
    nodes = [];
  });
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await dropSchema(schema);
  });

  async function open(url = serverUrl, leaseMs = defaultTiming.leaseMs): Promise<TestNode> {
    const node = await openNode({ url, schema }, { timing: { leaseMs } });
    nodes.push(node);
    return node;
  }

  async function startChild(leaseMs = defaultTiming.leaseMs): Promise<ChildNode> {
    const program = new URL("./faults.child.cases.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, ["--conditions=@x/source", program, serverUrl, schema, String(leaseMs)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const done = new Map<string, number>();
    const said: string[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      const [what, sourceId = "", n = ""] = line.split(" ");
      if (what === "done") done.set(sourceId, Number(n));
      else said.push(line);
    });
    await once(lines, "line");
    return { id: said[0]?.split(" ")[1] ?? "", done, said, kill: (signal) => void child.kill(signal) };
  }

  /** The highest stored event of each source, which is their number as well. */
  async function stored(): Promise<ReadonlyMap<string, number>> {
    const rows = await runSql(
      `SELECT emitter_id, count(*)::int AS n, max(ms)::int AS last FROM "${schema}".event GROUP BY emitter_id`,
    );
    expect(rows.map(({ n }) => n)).toEqual(rows.map(({ last }) => last));
    return new Map(rows.map((row) => [String(row["emitter_id"]), Number(row["n"])]));
  }

  const busy = (child: ChildNode): Promise<unknown> =>
    eventually(() => expect(Math.min(...child.done.values(), child.done.size < 8 ? 0 : 99)).toBeGreaterThan(20));

  test("after kill -9 the others have its sources and every acknowledged commit", async () => {
    const one = await open();
    const child = await startChild();
    await busy(child);
    expect(one.slots.size).toBe(512);
    const begun = performance.now();
    child.kill("SIGKILL");
    await eventually(() => expect(one.slots.size).toBe(1_024));
    process.stdout.write(`takeover after kill -9: ${(performance.now() - begun).toFixed(0)} ms\n`);
    const found = await stored();
    for (const [sourceId, n] of child.done) {
      expect(found.get(sourceId)).toBeGreaterThanOrEqual(n);
      expect(found.get(sourceId)).toBeLessThanOrEqual(n + 1);
      expect((await one.store.db(sourceId)).get("count")).toBe(String(found.get(sourceId)));
    }
    expect(one.told).toContain("lost ");
    expect(one.cluster.hasOthers).toBe(false);
  });

  test("a frozen node loses its sources after the lease, and commits nothing when it wakes up", async () => {
    const one = await open(serverUrl, 1_500);
    const child = await startChild(1_500);
    await busy(child);
    const begun = performance.now();
    child.kill("SIGSTOP");
    await eventually(() => expect(one.slots.size).toBe(1_024));
    process.stdout.write(
      `takeover after SIGSTOP with a lease of 1,500 ms: ${(performance.now() - begun).toFixed(0)} ms\n`,
    );
    const before = await stored();
    child.kill("SIGCONT");
    await eventually(() => expect(child.said.map((line) => line.split(" ")[0])).toContain("failed"));
    await eventually(() => expect(child.said.map((line) => line.split(" ")[0])).toContain("refused"));
    expect(await stored()).toEqual(before);
  });

  test("a node that others have declared dead commits nothing, says so, and answers what waits", async () => {
    const [one, two] = [await open(), await open()];
    await eventually(() => expect([one.slots.size, two.slots.size]).toEqual([512, 512]));
    await runSql(`UPDATE "${schema}".node SET dead = true WHERE id = $1`, [two.cluster.nodeId]);
    const refused = two.store.commit([addEvent(exampleEvent(1, 0))]);
    await expect(refused).rejects.toMatchObject({ code: "store_unavailable" });
    expect(await two.store.failed).toMatchObject({ code: "store_failed" });
    await expect(two.store.commit([addEvent(exampleEvent(1, 0))])).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(two.cluster.ask("dc_1", "x", bytes(""))).rejects.toMatchObject({ code: "store_unavailable" });
    expect(two.cluster.hasOthers).toBe(false);
    expect(two.cluster.owns("dc_1") || two.cluster.owns("dc_2")).toBe(false);
    expect(await stored()).toEqual(new Map());
    await eventually(() => expect(one.slots.size).toBe(1_024));
  });

  /** A node that gets no answer to its next commit, and may be declared dead before the server has it. */
  async function openDeafNode({ isDeadBefore }: { readonly isDeadBefore: boolean }) {
    const proxy = await startCutProxy({ host: "127.0.0.1", port: 5432 });
    const url = new URL(serverUrl);
    url.port = String(proxy.port);
    // It must not see that it is dead before its connection is lost.
    const timing = { beatMs: 600_000, pollMs: 600_000, leaseMs: 600_000 };
    const node = await openNode({ url: url.href, schema }, { timing });
    nodes.push(node);
    onTestFinished(() => proxy.close());
    const declareDead = async (): Promise<void> =>
      void (await runSql(`UPDATE "${schema}".node SET dead = true WHERE id = $1`, [node.cluster.nodeId]));
    proxy.loseAnswersFrom("fence", isDeadBefore ? declareDead : undefined);
    const emitterId = ownedBy(node);
    const commit = (): Promise<unknown> =>
      node.store.commit([addEvent(exampleEvent(1, 0, { emitterId }))]).then(
        () => "committed",
        (error: unknown) => (XError.is(error) ? error.code : error),
      );
    return { node, proxy, emitterId, commit, declareDead };
  }

  test("a commit whose answer is lost is acknowledged, even if its node is declared dead meanwhile", async () => {
    const { node, proxy, emitterId, commit, declareDead } = await openDeafNode({ isDeadBefore: false });
    const outcome = commit();
    await eventually(async () => expect(await stored()).toEqual(new Map([[emitterId, 1]])));
    await declareDead();
    proxy.pass();
    expect(await outcome).toBe("committed");
    expect(await node.store.failed).toMatchObject({ code: "store_failed" });
  });

  test("a commit whose refusal is lost may be tried again", async () => {
    // Declared dead earlier, a late look at the other nodes could tell it so before it commits.
    const { node, proxy, commit } = await openDeafNode({ isDeadBefore: true });
    const outcome = commit();
    await eventually(() => expect(proxy.isLosing()).toBe(true));
    proxy.pass();
    expect(await outcome).toBe("store_unavailable");
    expect(await node.store.failed).toMatchObject({ code: "store_failed" });
    expect(await stored()).toEqual(new Map());
  });

  test("nodes whose connections the server ends all at once go on as they were", async () => {
    await Promise.all([open(), open()]);
    await eventually(() => expect(nodes.map(({ slots }) => slots.size)).toEqual([512, 512]));
    const [one, two] = nodes;
    const before = nodes.map(({ slots }) => [...slots]);
    await runSql(
      `SELECT pg_terminate_backend(split_part(b, ' ', 1)::int) FROM (SELECT unnest(backends) AS b FROM "${schema}".node) n`,
    );
    await eventually(() => expect(nodes.every(({ told }) => told.length > 0)).toBe(true));
    const commit = async (node: TestNode | undefined, ms: number): Promise<unknown> =>
      node?.store.commit([addEvent(exampleEvent(ms, 0))]).then(
        () => "done",
        (error: unknown) => (XError.is(error) ? error.code : error),
      );
    await eventually(async () => expect(await commit(one, 1)).toBe("done"));
    await eventually(async () => expect(await commit(two, 2)).toBe("done"));
    expect(nodes.map(({ slots }) => [...slots])).toEqual(before);
    expect(two?.emitted).toContain(undefined);
  });

  test("messages and triggers that nobody could announce are found after the next connection", async () => {
    const proxy = await startCutProxy({ host: "127.0.0.1", port: 5432 });
    onTestFinished(() => proxy.close());
    const url = new URL(serverUrl);
    url.port = String(proxy.port);
    // Nobody takes its sources meanwhile.
    const timing = { graceMs: 60_000, leaseMs: 60_000 };
    const one = await openNode({ url: serverUrl, schema }, { timing });
    const two = await openNode({ url: url.href, schema }, { timing });
    nodes.push(one, two);
    await eventually(() => expect([one.slots.size, two.slots.size]).toEqual([512, 512]));
    const sourceId = ownedBy(two);
    proxy.loseAnswers();
    await expect.poll(() => two.store.sealing().catch(() => "lost")).toBe("lost");
    const asked = one.cluster.ask(sourceId, "greet", bytes("é"));
    const told = one.cluster.tellAll("changed", bytes("users"));
    await one.store.commit([addTrigger(exampleTrigger("t_1", { sourceId }))]);
    await one.store.commit([addEvent(exampleEvent(9, 0, { emitterId: "dc_x" }))]);
    expect([two.triggered, two.told.filter((text) => text !== "lost ")]).toEqual([[], []]);
    two.emitted.length = 0;
    proxy.pass();
    expect(textOf(await asked)).toContain(two.cluster.nodeId);
    expect((await told).map(textOf)).toEqual([""]);
    await eventually(() => expect(two.triggered).toEqual(["t_1"]));
    await eventually(() => expect(two.emitted).toContain(undefined));
    expect(two.slots.has(slotOf(sourceId))).toBe(true);
  });

  test("a node closes without a connection as well", async () => {
    const proxy = await startCutProxy({ host: "127.0.0.1", port: 5432 });
    onTestFinished(() => proxy.close());
    const url = new URL(serverUrl);
    url.port = String(proxy.port);
    const one = await open();
    const two = await openNode({ url: url.href, schema });
    await eventually(() => expect([one.slots.size, two.slots.size]).toEqual([512, 512]));
    const asked = two.cluster.ask(ownedBy(one), "greet", bytes(""));
    proxy.loseAnswers();
    await expect(asked).rejects.toMatchObject({ code: "store_unavailable" });
    await two.close();
    await eventually(() => expect(one.slots.size).toBe(1_024));
  });

  test("idle sources are handed over at once when a node leaves", async () => {
    const [one, two] = [await open(), await open()];
    await eventually(() => expect([one.slots.size, two.slots.size]).toEqual([512, 512]));
    const begun = performance.now();
    await two.cluster.leave();
    const left = performance.now() - begun;
    await eventually(() => expect(one.slots.size).toBe(1_024));
    const took = performance.now() - begun;
    process.stdout.write(`512 idle slots: given away after ${left.toFixed(0)} ms, taken after ${took.toFixed(0)} ms\n`);
    expect(two.slots.size).toBe(0);
    expect(two.cluster.owns(ownedBy(one))).toBe(false);
  });
});
