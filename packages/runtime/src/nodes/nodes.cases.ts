import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createRuntime } from "../runtime.ts";
import type { Runtime } from "../api/runtime-api.ts";
import { testEngine } from "../engine.cases.ts";
import { manualClock } from "../../../model/src/process/clock.ts";
import { answerText, componentText, runText, startMs, type Trial, trialOf } from "../runtime.cases.ts";
import type { NodeStore } from "./memory-nodes.cases.ts";

const secretKey = "0123456789abcdef".repeat(4);
const clock = manualClock(startMs);

interface NodeTrial extends Trial {
  readonly store: NodeStore;
}

/** Stores of a test that share their records. */
export interface GivenNodes {
  open(): Promise<NodeStore>;
  /** After the runtimes are closed. */
  dispose(): Promise<void>;
}

const echo = runText(`this.$emit(event); console.log("ran")`);
const web = componentText(`props: { http: { type: "$.interface.http", customResponse: true }, db: "$.service.db" },
  async run(event) {
    const count = (this.db.get("count") ?? 0) + 1;
    this.db.set("count", count);
    this.http.respond({ status: 201, headers: {}, body: "answer " + count + " " + event.bodyRaw });
    this.$emit(count);
  },`);

/** What two runtimes on stores that share their records must do. */
export function describeNodes(name: string, create: () => GivenNodes): void {
  const running: Runtime[] = [];
  let nodes: GivenNodes;
  beforeEach(() => {
    nodes = create();
  });
  afterEach(async () => {
    for (const runtime of running.splice(0)) await runtime.close();
    await nodes.dispose();
  });

  async function openNode(): Promise<NodeTrial> {
    const store = await nodes.open();
    const runtime = await createRuntime({ store, secretKey, clock, engine: await testEngine() });
    running.push(runtime);
    await runtime.start();
    return { ...trialOf(runtime, clock), store };
  }

  async function openTwo(): Promise<[NodeTrial, NodeTrial]> {
    const [one, two] = [await openNode(), await openNode()];
    const shares = async (): Promise<unknown> => (await one.store.cluster.nodes()).map(({ slots }) => slots);
    await vi.waitFor(async () => expect(await shares()).toEqual([512, 512]), 20_000);
    return [one, two];
  }

  describe(`two nodes ${name}`, () => {
    it("share the slots, and each runs its own sources", async () => {
      const [one, two] = await openTwo();
      const views = [await one.deploy(echo), await two.deploy(echo)];
      expect((await one.store.cluster.nodes()).map(({ slots }) => slots)).toEqual([512, 512]);
      expect(views.map(({ source }) => one.store.cluster.owns(source.id))).toEqual([true, false]);
      expect(new Set(views.map(({ source }) => source.nameSlug)).size).toBe(2);
    });

    it("every call of a source works on the node that does not run it", async () => {
      const [one, two] = await openTwo();
      const { source } = await one.deploy(web);
      const { runtime } = two;
      const run = await runtime.invoke(source.id, { event: { bodyRaw: "x" }, httpProp: "http" });
      expect(run.status).toBe("ok");
      expect(await runtime.dbEntries(source.id)).toMatchObject([{ key: "count", value: 1 }]);
      const db = await runtime.db(source.id);
      await db.set("count", 7);
      const answer = await two.hit({ source } as never, { text: "hello" });
      expect([answer.status, answerText(answer)]).toEqual([201, "answer 8 hello"]);
      await one.runtime.idle();
      expect(await one.payloads(source.id)).toEqual([1, 8]);
      const updated = await runtime.update(source.id, { name: "other", active: false });
      expect([updated.source.name, updated.source.active]).toEqual(["other", false]);
      expect((await one.hit({ source } as never)).status).toBe(404);
      await expect(runtime.invoke(source.id)).rejects.toMatchObject({ code: "inactive" });
      const [execution] = (await runtime.storedExecutions(source.id, { limit: 1 })).items;
      await runtime.update(source.id, { active: true });
      const again = await runtime.replay(execution?.id ?? "", { event: { bodyRaw: "y" } });
      expect(again.status).toBe("ok");
      expect((await runtime.activity(source.id)).lastExecution?.id).toBe(again.executionId);
      await runtime.delete(source.id);
      await expect(one.runtime.source(source.id)).rejects.toMatchObject({ code: "not_found" });
    });

    it("a request without a custom response is stored and run by the node of its source", async () => {
      const [one, two] = await openTwo();
      const view = await one.deploy(
        componentText(`props: { http: "$.interface.http" }, async run(event) { this.$emit(event.bodyRaw) },`),
      );
      const heard = one.runtime.events({ sourceId: view.source.id });
      expect((await two.hit(view, { text: "a" })).status).toBe(200);
      expect((await heard.next()).value).toMatchObject({ payload: "a" });
      await heard.return?.();
    });

    it("a subscription made on one node catches the next event of the other one", async () => {
      const [one, two] = await openTwo();
      const emitter = await one.deploy(echo);
      const listener = await two.deploy(echo);
      await two.runtime.subscribe({ emitterId: emitter.source.id, listenerId: listener.source.id });
      const heard = two.runtime.events({ sourceId: listener.source.id });
      await one.runtime.invoke(emitter.source.id, { event: "first" });
      expect((await heard.next()).value).toMatchObject({ payload: "first" });
      await one.runtime.unsubscribe({ emitterId: emitter.source.id, listenerId: listener.source.id });
      await one.runtime.invoke(emitter.source.id, { event: "second" });
      await one.runtime.idle();
      expect(await two.payloads(listener.source.id)).toEqual(["first"]);
      await heard.return?.();
    });

    it("a revoked key is refused on every node, and its listeners end", async () => {
      const [one, two] = await openTwo();
      const { apiKey, id } = await one.runtime.addUser({ username: "ada" });
      expect((await two.runtime.authenticate(apiKey))?.id).toBe(id);
      const heard = two.runtime.as(id).events({ apiKey });
      await one.runtime.rotateApiKey("ada");
      expect(await two.runtime.authenticate(apiKey)).toBeUndefined();
      expect(await heard.next()).toMatchObject({ done: true });
      await expect(two.runtime.addUser({ username: "ada" })).rejects.toMatchObject({ code: "username_taken" });
    });

    it("events and executions of one node are live on the other one, in order and each once", async () => {
      const [one, two] = await openTwo();
      const { source } = await one.deploy(runText(`for (const each of event) this.$emit(each)`));
      const events = two.runtime.events({ sourceId: source.id });
      const executions = two.runtime.executions({ sourceId: source.id });
      const firstExecution = executions.next();
      await one.runtime.invoke(source.id, { event: [1, 2] });
      await one.runtime.invoke(source.id, { event: [3] });
      const heard = [];
      for (let count = 0; count < 3; count++) heard.push((await events.next()).value?.payload);
      expect(heard).toEqual([1, 2, 3]);
      expect((await firstExecution).value).toMatchObject({ sourceId: source.id, emittedCount: 2 });
      await Promise.all([events.return?.(), executions.return?.()]);
    });

    it("a node that leaves hands its sources over, and their state goes on", async () => {
      const [one, two] = await openTwo();
      const view = await one.deploy(web);
      await one.hit(view);
      await one.runtime.close();
      const answer = await two.hit(view, { text: "b" });
      expect([answer.status, answerText(answer)]).toEqual([201, "answer 2 b"]);
      expect(two.store.cluster.owns(view.source.id)).toBe(true);
    });

    it("requests that are sent one after another run once and in that order, also while their node leaves", async () => {
      const [one, two] = await openTwo();
      const view = await one.deploy(
        componentText(`props: { http: "$.interface.http", db: "$.service.db" }, async run(event) {
          const count = this.db.get("count") ?? 0;
          await Promise.resolve();
          this.db.set("count", count + 1);
          this.$emit(Number(event.bodyRaw));
        },`),
      );
      const numbers = Array.from({ length: 40 }, (_, number) => number);
      let leaving: Promise<void> | undefined;
      for (const number of numbers) {
        if (number === 20) leaving = one.runtime.close();
        const node = number % 2 === 0 && !leaving ? one : two;
        expect((await node.hit(view, { text: String(number) })).status).toBe(200);
      }
      await leaving;
      await two.runtime.idle();
      expect(await two.payloads(view.source.id)).toEqual(numbers);
      expect(await two.runtime.dbEntries(view.source.id)).toMatchObject([{ key: "count", value: 40 }]);
    });

    it("a stream that was read on one node continues on the other one, without a gap or a repeat", async () => {
      const [one, two] = await openTwo();
      const { source } = await one.deploy(runText(`for (const each of event) this.$emit(each)`));
      const first = two.runtime.events({ sourceId: source.id });
      await one.runtime.invoke(source.id, { event: [1, 2] });
      const heard = [await first.next(), await first.next()].map(({ value }) => value?.payload);
      const [last] = (await one.runtime.storedEvents(source.id, "emits", { limit: 1 })).items;
      await first.return?.();
      await two.runtime.invoke(source.id, { event: [3] });
      const after = one.runtime.events({ sourceId: source.id, after: last?.id ?? "" });
      await two.runtime.invoke(source.id, { event: [4] });
      heard.push((await after.next()).value?.payload, (await after.next()).value?.payload);
      expect(heard).toEqual([1, 2, 3, 4]);
      await after.return?.();
    });

    it("a node that is killed is replaced: what it was running runs again", async () => {
      const [one, two] = await openTwo();
      const view = await one.deploy(web);
      await one.hit(view);
      await one.store.kill();
      const answer = await two.hit(view, { text: "c" });
      expect([answer.status, answerText(answer)]).toEqual([201, "answer 2 c"]);
    });

    it("an error of the other node keeps its code, text and details", async () => {
      const [one, two] = await openTwo();
      const { source } = await one.deploy(
        componentText(
          `hooks: { activate() { if (this.n > 1) throw new Error("no") } }, props: { n: "integer" }, run() {},`,
        ),
        { n: 1 },
      );
      const onOwner = await one.runtime.update(source.id, { props: { n: 2 } }).catch((error: unknown) => error);
      const onOther = await two.runtime.update(source.id, { props: { n: 2 } }).catch((error: unknown) => error);
      expect(onOther).toMatchObject({ code: "hook_failed", message: (onOwner as Error).message });
      expect((onOther as { details: object }).details).toMatchObject({ hook: "activate", name: "Error" });
    });
  });
}
