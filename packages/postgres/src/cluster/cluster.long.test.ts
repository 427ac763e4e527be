import type { Slots } from "@x/runtime/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import {
  addEvent,
  addTrigger,
  exampleEvent,
  exampleTrigger,
  setValue,
} from "../../../store/src/conformance/examples.cases.ts";
import { openPostgres } from "../postgres.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../server.cases.ts";
import { bytes, eventually, openNode, ownedBy, type Replaced, type TestNode, textOf } from "./node.cases.ts";

const reason = await missingServer();

describe.skipIf(reason !== undefined)("nodes that share a schema", () => {
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

  async function open(handlers?: Replaced): Promise<TestNode> {
    const node = await openNode({ url: serverUrl, schema }, handlers);
    nodes.push(node);
    return node;
  }
  const shares = (): number[] => nodes.map(({ slots }) => slots.size);
  const total = (): number => new Set(nodes.flatMap(({ slots }) => [...slots])).size;
  const countRows = async (table: string, condition: string): Promise<number> => {
    const [row] = await runSql(`SELECT count(*)::int AS n FROM "${schema}".${table} WHERE ${condition}`);
    return Number(row?.["n"]);
  };
  const messages = (condition = "true"): Promise<number> => countRows("message", condition);
  const unseen = (): Promise<number> => countRows("inbox", "unseen");
  /** Resolves when every slot has one owner, and all have the same number. */
  const balanced = (): Promise<unknown> =>
    eventually(() => {
      expect(total()).toBe(1_024);
      expect(Math.max(...shares()) - Math.min(...shares())).toBeLessThanOrEqual(1);
      expect(shares().reduce((sum, share) => sum + share, 0)).toBe(1_024);
    });

  test("a node that is alone owns everything when it has joined, and another service is refused", async () => {
    const node = await open();
    expect([node.slots.size, node.cluster.hasOthers]).toEqual([1_024, false]);
    expect(node.cluster.owns("dc_1")).toBe(true);
    await expect(openPostgres({ url: serverUrl, schema })).rejects.toMatchObject({ code: "store_locked" });
  });

  test("nodes that start at once migrate once and share the slots evenly; those that leave give them back", async () => {
    await Promise.all([open(), open(), open()]);
    await balanced();
    expect(nodes.every(({ cluster }) => cluster.hasOthers)).toBe(true);
    const [first] = nodes.splice(0, 1);
    await first?.close();
    expect(first?.slots.size).toBe(0);
    await balanced();
    const [view] = await Promise.all(nodes.map(({ cluster }) => cluster.nodes()));
    expect(new Set(view?.map(({ id, slots, isSelf }) => `${id} ${slots} ${isSelf}`))).toEqual(
      new Set(nodes.map(({ cluster }, n) => `${cluster.nodeId} 512 ${n === 0}`)),
    );
  });

  test("slots stay with their node until their work is drained, and hold back few others", async () => {
    const { promise: mayGo, resolve: letGo } = Promise.withResolvers<void>();
    let held: Slots | undefined;
    const one = await open({ losing: (slots) => ((held ??= slots) === slots ? mayGo : Promise.resolve()) });
    const two = await open();
    const ownedBySql = ({ cluster }: TestNode): Promise<number> => countRows("slot", `owner = '${cluster.nodeId}'`);
    await eventually(async () => expect(await ownedBySql(two)).toBe(512 - 8));
    expect([await ownedBySql(one), one.slots.size, two.slots.size]).toEqual([512 + 8, 512, 512 - 8]);
    letGo();
    await balanced();
    expect(held?.list.every((slot) => two.slots.has(slot))).toBe(true);
  });

  test("a node asks the owner of a source, and itself without a message", async () => {
    const [one, two] = [await open(), await open()];
    await balanced();
    for (const node of nodes) {
      const other = node === one ? two : one;
      const id = ownedBy(other);
      expect(textOf(await node.cluster.ask(id, "greet", bytes("é")))).toMatch(`${other.cluster.nodeId} greet é`);
      expect(textOf(await node.cluster.ask(ownedBy(node), "greet", bytes("")))).toMatch(node.cluster.nodeId);
    }
    await eventually(async () => expect(await messages()).toBe(0));
  });

  test("a question that fails is refused, and one that is given up is forgotten", async () => {
    const { promise: done, resolve: finish } = Promise.withResolvers<Uint8Array>();
    const one = await open();
    const two = await open({ asked: ({ kind }) => (kind === "fail" ? Promise.reject(new Error("no")) : done) });
    await balanced();
    const id = ownedBy(two);
    await expect(one.cluster.ask(id, "fail", bytes(""))).rejects.toMatchObject({ code: "store_unavailable" });
    const given = new AbortController();
    const asked = one.cluster.ask(id, "wait", bytes(""), given.signal);
    await eventually(async () => expect(await messages("taken IS NOT NULL")).toBe(1));
    given.abort(new Error("given up"));
    await expect(asked).rejects.toThrow("given up");
    await eventually(async () => expect(await messages()).toBe(0));
    finish(bytes("late"));
    await expect(one.cluster.ask(id, "fail", bytes(""))).rejects.toMatchObject({ code: "store_unavailable" });
    await eventually(async () => expect(await messages()).toBe(0));
  });

  test("a message to all others is handled and answered before it resolves", async () => {
    const [one] = [await open(), await open({ told: async () => bytes("two") }), await open()];
    expect((await one.cluster.tellAll("changed", bytes("users"))).map(textOf).toSorted()).toEqual(["", "two"]);
    expect(nodes.map(({ told }) => told.filter((text) => !text.startsWith("lost")))).toEqual([
      [],
      ["changed users"],
      ["changed users"],
    ]);
    await eventually(async () => expect(await messages()).toBe(0));
  });

  test("a node that has not joined handles messages before its join resolves, and nobody waits for it", async () => {
    const one = await open();
    const tell = async (): Promise<void> => expect(await one.cluster.tellAll("changed", bytes("users"))).toEqual([]);
    const two = await openNode({ url: serverUrl, schema }, { beforeJoin: tell });
    nodes.push(two);
    expect(two.told).toEqual(["changed users"]);
  });

  test("a trigger that is stored for another node's source is found there once, and so is one of a slot without owner", async () => {
    const [one, two] = [await open(), await open()];
    await balanced();
    const [mine, theirs] = [ownedBy(one), ownedBy(two)];
    await one.store.commit([
      addTrigger(exampleTrigger("t_mine", { sourceId: mine })),
      addTrigger(exampleTrigger("t_theirs", { sourceId: theirs })),
    ]);
    await eventually(() => expect(two.triggered).toEqual(["t_theirs"]));
    await eventually(async () => expect(await unseen()).toBe(0));
    expect((await two.store.triggers(theirs)).map(({ id }) => id)).toEqual(["t_theirs"]);
    await two.store.commit([addTrigger(exampleTrigger("t_back", { sourceId: mine }))]);
    await eventually(() => expect(one.triggered).toEqual(["t_back"]));
    expect(two.triggered).toEqual(["t_theirs"]);
  });

  test("what waits for a node's sources is recovered by the next owner, and no crash is counted for a drained one", async () => {
    const [one, two] = [await open(), await open()];
    await balanced();
    const sourceId = ownedBy(two);
    await two.store.commit([addTrigger(exampleTrigger("t_1", { sourceId }), true)]);
    nodes = [one];
    await two.close();
    await balanced();
    expect(one.recovered.filter(({ id }) => id === "t_1")).toMatchObject([{ sourceId, crashes: 0 }]);
  });

  test("new events are announced to the others, by their stream and first id, once for each commit", async () => {
    const [one, two] = [await open(), await open()];
    await balanced();
    const emitterId = ownedBy(one);
    one.emitted.length = two.emitted.length = 0;
    await one.store.commit([1, 2].map((ms) => addEvent(exampleEvent(ms, 0, { emitterId }))));
    await eventually(() => expect(two.emitted).toEqual([[{ emitterId, stream: "emits", first: { ms: 1, seq: 0 } }]]));
    expect(one.emitted).toEqual([]);
  });

  test("the end of a question joins the commit of its effect: it is never taken again", async () => {
    let done = 0;
    const one = await open();
    const two: TestNode = await open({
      async asked({ id }) {
        await two.store.commit([setValue(ownedBy(two), "n", String((done += 1))), { op: "message.done", id }]);
        return bytes(`${await messages("done")}`);
      },
    });
    await balanced();
    expect(textOf(await one.cluster.ask(ownedBy(two), "request", bytes("")))).toBe("1");
    await eventually(async () => expect(await messages()).toBe(0));
    expect(done).toBe(1);
  });
});
