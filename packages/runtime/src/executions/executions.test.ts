import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Json } from "@x/model";
import type { StoredExecutionDetail } from "../api/executions-api.ts";
import { componentText, openTrial, runText, startMs, type Trial } from "../runtime.cases.ts";

const upstream = async (request: Request): Promise<Response> =>
  request.url.endsWith("/down")
    ? Promise.reject(new Error("no route"))
    : new Response(`{"you":${JSON.stringify(await request.text())}}`, {
        status: 201,
        headers: { "content-type": "application/json", "set-cookie": "id=1" },
      });

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ network: { fetch: upstream } });
});
afterAll(() => trial.runtime.close());

/** The newest execution of a source. */
async function newest(sourceId: string): Promise<StoredExecutionDetail> {
  const { items } = await trial.runtime.storedExecutions(sourceId, { limit: 1 });
  return trial.runtime.execution(items[0]?.id ?? "");
}

const full = componentText(`dedupe: "unique", props: { db: "$.service.db", token: { type: "string", secret: true } },
  async run(event) {
    this.db.set("cursor", (this.db.get("cursor") ?? 0) + 1);
    console.log("saw", event.n);
    await fetch("https://api.test/items?key=" + this.token, { method: "POST", body: "ping " + this.token,
      headers: { authorization: "Bearer derived", "x-trace": "t" } });
    await fetch("https://api.test/down").catch(() => undefined);
    this.$emit({ n: event.n, token: this.token }, { id: event.n, summary: "n " + event.n });
  },`);

describe("an execution", () => {
  it("is stored with its trigger, phases, requests, logs, emits, drops and db changes, without secrets", async () => {
    const { source } = await trial.deploy(full, { token: "sesame-1234" });
    await trial.runtime.invoke(source.id, { event: { n: 1 } });
    await trial.runtime.invoke(source.id, { event: { n: 1 } });
    const { totalCount, items } = await trial.runtime.storedExecutions(source.id, { limit: 10 });
    expect([totalCount, items.map(({ emittedCount, deduped }) => [emittedCount, deduped])]).toEqual([
      2,
      [
        [0, 1],
        [1, 0],
      ],
    ]);
    const [second, first] = await Promise.all(items.map(({ id }) => trial.runtime.execution(id)));
    expect(first).toMatchObject({
      sourceId: source.id,
      entry: "run",
      type: "MANUAL",
      status: "ok",
      queuedAt: startMs,
      startedAt: startMs,
      endedAt: startMs,
      commitMs: expect.any(Number) as number,
      logCount: 1,
      callCount: 2,
      dbChangeCount: 1,
      summary: "n 1",
      detail: {
        event: '{"n":1}',
        eventBytes: 7,
        emitted: [
          {
            name: "",
            dedupeId: "1",
            summary: "n 1",
            payload: '{"n":1,"token":"***"}',
            payloadBytes: 29,
            listeners: [],
          },
        ],
        dropped: [],
        logs: [{ msg: "saw 1" }],
        db: [{ key: "cursor", before: null, after: "1" }],
        omitted: {},
        response: null,
        error: null,
      },
    });
    expect(first?.detail.calls).toMatchObject([
      {
        method: "POST",
        url: "https://api.test/items?key=***",
        status: 201,
        requestBytes: 16,
        requestHeaders: { authorization: "***", "x-trace": "t" },
        responseHeaders: { "content-type": "application/json", "set-cookie": "***" },
        requestBody: { text: "ping ***" },
        responseBody: { text: '{"you":"ping ***"}' },
      },
      {
        method: "GET",
        url: "https://api.test/down",
        status: null,
        error: expect.stringContaining("no route") as string,
      },
    ]);
    // Requests lie within the time of the sandbox, which includes the wait for a thread.
    const lastCall = first?.detail.calls.at(-1);
    expect((lastCall?.startedMs ?? 0) + (lastCall?.durationMs ?? 0)).toBeLessThanOrEqual((first?.sandboxMs ?? 0) + 0.1);
    expect(second?.detail.dropped).toMatchObject([{ reason: "duplicate", payload: '{"n":1,"token":"***"}' }]);
    expect(second?.detail.db).toEqual([{ key: "cursor", before: "1", after: "2" }]);
    expect(JSON.stringify([first, second])).not.toContain("sesame-1234");
  });

  it("has its changes of data stores with the values before it, also those of others, and none of a run that failed", async () => {
    const { source } = await trial.deploy(
      componentText(`props: { shop: { type: "data_store" }, till: { type: "data_store" } },
        async run(event) {
          await this.shop.set("n", 0); await this.shop.set("n", event.n); await this.shop.delete("gone");
          this.till.set("last", event.n); await this.shop.get("read");
          if (event.fails) throw new Error("no");
        },
        hooks: { async deploy() { await this.shop.set("n", "deployed"); }, async activate() { await this.shop.set("n", "active"); } },`),
      { shop: "record-shop", till: "record-till" },
    );
    const recordOf = async (event: Json): Promise<StoredExecutionDetail> =>
      trial.runtime.execution((await trial.runtime.invoke(source.id, { event })).executionId);
    const hooks = (await trial.runtime.storedExecutions(source.id, { limit: 2 })).items;
    const changes = async (id: string | undefined): Promise<unknown> =>
      (await trial.runtime.execution(id ?? "")).detail.dataStores;
    const n = { name: "record-shop", key: "n" };
    expect(await changes(hooks[1]?.id)).toEqual([{ ...n, before: null, after: '"deployed"' }]);
    expect(await changes(hooks[0]?.id)).toEqual([{ ...n, before: '"deployed"', after: '"active"' }]);
    await trial.runtime.writeDataStore("record-shop", [
      ["n", "theirs"],
      ["gone", 1],
    ]);
    const first = await recordOf({ n: 1 });
    expect(first).toMatchObject({ dataStoreChangeCount: 3, dbChangeCount: 0, detail: { db: [], omitted: {} } });
    expect(first.detail.dataStores).toEqual([
      { ...n, before: '"theirs"', after: "1" },
      { name: "record-shop", key: "gone", before: "1", after: null },
      { name: "record-till", key: "last", before: null, after: "1" },
    ]);
    const failed = await recordOf({ n: 2, fails: true });
    expect([failed.dataStoreChangeCount, failed.detail.dataStores]).toEqual([undefined, undefined]);
  });

  it("that failed has the author's lines around the place where it threw", async () => {
    const { source } = await trial.deploy(runText(`\n  const wrong = event.missing.deep;\n`));
    await trial.runtime.invoke(source.id, { event: {} });
    const found = await newest(source.id);
    expect(found).toMatchObject({ status: "error", error: { name: "TypeError" }, emittedCount: 0 });
    expect(found.detail.error?.frame).toContain("> 2 |   const wrong = event.missing.deep;");
  });

  it("of a transactional run that failed shows what was rolled back", async () => {
    const { source } = await trial.deploy(
      runText(
        `this.db.set("a", 1); this.$emit({ a: 1 }); throw new Error("no")`,
        `transactional: true, props: { db: "$.service.db" },`,
      ),
    );
    await trial.runtime.invoke(source.id);
    const { detail } = await newest(source.id);
    expect(detail).toMatchObject({ emitted: [], dropped: [{ reason: "rolled_back", payload: '{"a":1}' }], db: [] });
  });

  it("names what became of its events: runs, deliveries, and listeners that do not get them", async () => {
    const { runtime } = trial;
    const { source } = await trial.deploy(runText(`this.$emit({ a: 1 })`));
    const active = await trial.deploy(runText(`this.$emit(event)`));
    const paused = await trial.deploy(runText(`this.$emit(event)`));
    await runtime.update(paused.source.id, { active: false });
    const webhook = await runtime.createWebhook({ url: "https://93.184.216.34/hook" });
    for (const listenerId of [active.source.id, paused.source.id, webhook.id])
      await runtime.subscribe({ emitterId: source.id, listenerId });
    const { executionId } = await runtime.invoke(source.id);
    await trial.runtime.deleteWebhook(webhook.id);
    await runtime.idle();
    const [emitted] = (await runtime.execution(executionId)).detail.emitted;
    const triggered = await newest(active.source.id);
    expect(emitted?.listeners).toEqual(
      expect.arrayContaining([
        { id: webhook.id, kind: "webhook", deliveryId: expect.stringMatching(/^dlv_/) as string },
        { id: active.source.id, kind: "source", executionId: triggered.id },
        { id: paused.source.id, kind: "source", skipped: "inactive" },
      ]),
    );
    expect(triggered).toMatchObject({
      type: "SUBSCRIPTION",
      cause: { sourceId: source.id, eventId: emitted?.id, executionId },
    });
  });
});

describe("hooks", () => {
  const hooked = (activate: string): string =>
    componentText(`hooks: { deploy() { this.$emit(1) }, activate() { ${activate} }, deactivate() {} }, run() {},`);

  it("are executions, also of a change that was undone", async () => {
    const { source } = await trial.deploy(hooked(`this.$emit(2)`));
    await expect(
      trial.runtime.update(source.id, { code: hooked(`this.$emit(3); throw new Error("no")`) }),
    ).rejects.toMatchObject({ code: "hook_failed" });
    const { items } = await trial.runtime.storedExecutions(source.id, { limit: 10 });
    expect(items.toReversed().map(({ entry, status, undone = false }) => [entry, status, undone])).toEqual([
      ["deploy", "ok", false],
      ["activate", "ok", false],
      ["deactivate", "ok", true],
      ["activate", "error", true],
      ["activate", "ok", false],
    ]);
    const failed = items.find(({ status }) => status === "error");
    const { detail, emittedCount } = await trial.runtime.execution(failed?.id ?? "");
    expect([emittedCount, detail.emitted, detail.dropped]).toMatchObject([
      0,
      [],
      [{ reason: "rolled_back", payload: "3" }],
    ]);
  });
});

describe("retention", () => {
  it("keeps the newest, and the newest failed ones", async () => {
    const { source } = await trial.deploy(
      runText(`if (event < 2) throw new Error("early")`),
      {},
      { settings: { executions: 5 } },
    );
    for (let n = 0; n < 30; n++) await trial.runtime.invoke(source.id, { event: n });
    const { totalCount, items } = await trial.runtime.storedExecutions(source.id, { limit: 100 });
    expect([totalCount, items.map(({ status }) => status)]).toEqual([
      7,
      [...Array.from({ length: 5 }, () => "ok"), "error", "error"],
    ]);
    const failed = await trial.runtime.storedExecutions(source.id, { limit: 100, status: "failed" });
    expect(failed.items.map(({ status }) => status)).toEqual(["error", "error"]);
  });

  it("stores none when the setting is 0", async () => {
    const { source } = await trial.deploy(runText(`this.$emit(1)`), {}, { settings: { executions: 0 } });
    await trial.runtime.invoke(source.id);
    expect((await trial.runtime.storedExecutions(source.id, { limit: 100 })).totalCount).toBe(0);
  });
});

describe("a replay", () => {
  it("runs with the same trigger and event, or with another event, and names its origin", async () => {
    const { source } = await trial.deploy(runText(`this.$emit(event)`));
    const { executionId } = await trial.runtime.invoke(source.id, { event: { n: 1 } });
    const again = await trial.runtime.replay(executionId);
    const edited = await trial.runtime.replay(executionId, { event: { n: 2 } });
    expect(await trial.payloads(source.id)).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]);
    expect(await trial.runtime.execution(again.executionId)).toMatchObject({ type: "MANUAL", replayOf: executionId });
    expect(await trial.runtime.execution(edited.executionId)).toMatchObject({
      replayOf: executionId,
      detail: { event: '{"n":2}' },
    });
  });

  it("of a request runs with the whole request, and records the response", async () => {
    const view = await trial.deploy(
      componentText(`props: { http: { type: "$.interface.http", customResponse: true } },
        run(event) { this.http.respond({ status: 202, body: "got " + event.body.n }); },`),
    );
    await trial.hit(view, { text: '{"n":7}' });
    await trial.runtime.idle();
    const { id } = await newest(view.source.id);
    await trial.runtime.replay(id);
    const found = await newest(view.source.id);
    expect(found).toMatchObject({ type: "HTTP", replayOf: id, detail: { httpProp: "http" } });
    expect(found.detail.response).toMatchObject({ status: 202, body: { text: "got 7" } });
  });

  it("is refused for a hook, for an event that contained secrets, and for a paused source", async () => {
    const { runtime } = trial;
    const { source } = await trial.deploy(
      componentText(`props: { token: { type: "string", secret: true } }, hooks: { activate() {} }, run() {},`),
      { token: "sesame-1234" },
    );
    const hook = await newest(source.id);
    await expect(runtime.replay(hook.id)).rejects.toMatchObject({ code: "not_replayable" });
    const { executionId } = await runtime.invoke(source.id, { event: { given: "sesame-1234" } });
    await expect(runtime.replay(executionId)).rejects.toMatchObject({ code: "not_replayable" });
    expect((await runtime.replay(executionId, { event: {} })).status).toBe("ok");
    await runtime.update(source.id, { active: false });
    await expect(runtime.replay(executionId, { event: {} })).rejects.toMatchObject({ code: "inactive" });
  });

  it("rejects for an unknown execution, and for one of another user", async () => {
    const { runtime } = trial;
    const other = await runtime.addUser({ username: "someone" });
    const { source } = await trial.deploy(runText(``));
    const { executionId } = await runtime.invoke(source.id);
    for (const acting of [
      runtime.as(other.id).replay(executionId),
      runtime.as(other.id).execution(executionId),
      runtime.replay("x"),
    ])
      await expect(acting).rejects.toMatchObject({ code: "not_found" });
    await expect(runtime.as(other.id).storedExecutions(source.id, { limit: 1 })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await runtime.as(other.id).storedExecutions(undefined, { limit: 1 })).totalCount).toBe(0);
  });
});

describe("executions()", () => {
  it("returns executions as they are committed, and continues after one without a gap", async () => {
    const { runtime } = trial;
    const { source } = await trial.deploy(runText(``));
    const first = await runtime.invoke(source.id);
    const second = await runtime.invoke(source.id);
    const live = runtime.executions({ sourceId: source.id });
    const resumed = runtime.executions({ sourceId: source.id, after: first.executionId });
    const third = await runtime.invoke(source.id);
    expect((await live.next()).value).toMatchObject({ id: third.executionId, status: "ok" });
    const heard = [await resumed.next(), await resumed.next()].map(({ value }) => (value as { id: string }).id);
    expect(heard).toEqual([second.executionId, third.executionId]);
    await Promise.all([live.return?.(), resumed.return?.()]);
  });
});
