import { afterAll, beforeAll, expect, it } from "vitest";

import type { StoredExecutionDetail } from "../api/executions-api.ts";
import { componentText, openTrial, runText, type Trial } from "../runtime.cases.ts";
import { recordBounds } from "./record-bounds.ts";

const secret = "sesame-open-1234";
const body = "y".repeat(recordBounds.body - 8) + secret + "z".repeat(50_000);

let trial: Trial;
beforeAll(async () => {
  const answer = (request: Request): Promise<Response> =>
    Promise.resolve(
      new Response(request.url.includes("binary") ? Uint8Array.of(0xff, 0xfe, 0) : body, {
        headers: { "x-echo": secret, "x-long": "h".repeat(6_000) },
      }),
    );
  trial = await openTrial({ network: { fetch: answer } });
});
afterAll(() => trial.runtime.close());

async function recordOf(
  code: string,
  props: Record<string, string> = {},
  event: object = {},
): Promise<StoredExecutionDetail> {
  const { source } = await trial.deploy(code, props);
  const { executionId } = await trial.runtime.invoke(source.id, { event: event as never });
  return trial.runtime.execution(executionId);
}

const secretProp = `token: { type: "string", secret: true }`;

it("a record is bounded whatever the component does, and counts what it leaves out", async () => {
  const { detail, ...summary } = await recordOf(
    runText(
      `for (let n = 0; n < 150; n++) await fetch("https://api.test/" + "u".repeat(5_000) + n, { method: "POST", body: "b".repeat(40_000) });
       for (let n = 0; n < 500; n++) this.db.set("key " + n, "v".repeat(300));
       this.db.set("big", "v".repeat(20_000));
       for (let n = 0; n < 400; n++) console.log("l".repeat(3_000), n);
       this.$emit("p".repeat(20_000));
       for (let n = 0; n < 1_000; n++) this.$emit({ n, text: "p".repeat(1_000) });
       throw new Error("m".repeat(30_000));`,
      `props: { db: "$.service.db" },`,
    ),
    {},
    { text: "e".repeat(10) },
  );
  expect(summary).toMatchObject({ callCount: 150, emittedCount: 1_001, dbChangeCount: 501, status: "error" });
  expect(summary.error?.message.length).toBeLessThanOrEqual(recordBounds.shownMessage + 1);
  expect(detail.omitted).toEqual({ calls: 50, db: 401, emitted: 901, logs: expect.any(Number) as number });
  expect(detail.logs.length + (detail.omitted.logs ?? 0)).toBe(summary.logCount);
  expect(detail.logs.at(-1)?.k).toBe("err");
  expect([detail.calls.length, detail.emitted.length, detail.db.length]).toEqual([100, 100, 100]);
  expect(detail.emitted[0]).toMatchObject({ payload: null, payloadBytes: 20_002 });
  expect(detail.emitted[1]?.payload).not.toBeNull();
  expect(detail.emitted.at(-1)?.payload).toBeNull();
  expect(detail.calls[0]).toMatchObject({ requestBytes: 40_000, requestBody: { truncated: true } });
  expect(detail.calls.at(-1)?.requestBody).toEqual({ truncated: true });
  expect(detail.calls[0]?.url.length).toBeLessThanOrEqual(recordBounds.url + 1);
  expect(detail.error?.message.length).toBeLessThanOrEqual(recordBounds.message + 1);
  expect(JSON.stringify(detail).length).toBeLessThan(768 * 1024);
});

it("changes of data stores are bounded and masked as those of a db are", async () => {
  const { detail, dataStoreChangeCount } = await recordOf(
    runText(
      `for (let n = 0; n < 150; n++) await this.shop.set("key " + n, "v".repeat(n === 1 ? 20_000 : 400) + n);
       await this.shop.set("key 0", this.token); await this.shop.set(this.token, 1);`,
      `props: { ${secretProp}, shop: { type: "data_store" } },`,
    ),
    { token: secret, shop: "bounded" },
  );
  const { dataStores = [], omitted } = detail;
  expect([dataStoreChangeCount, dataStores.length, omitted]).toEqual([151, 100, { dataStores: 51 }]);
  expect(dataStores[0]).toEqual({ name: "bounded", key: "key 0", before: null, after: '"***"' });
  expect(dataStores[1]).toEqual({ name: "bounded", key: "key 1", before: null, after: null, truncated: true });
  expect(dataStores[2]?.after).toContain("vvv");
  expect(dataStores.at(-1)).toMatchObject({ truncated: true });
  const chars = dataStores.reduce((sum, { after }) => sum + (after?.length ?? 0), 0);
  expect(chars).toBeLessThanOrEqual(recordBounds.db);
  expect(JSON.stringify(detail)).not.toContain(secret);
});

it("an event that is too large is left out, and cannot be replayed without another one", async () => {
  const { source } = await trial.deploy(runText(`this.$emit(event.text.length)`));
  const { executionId } = await trial.runtime.invoke(source.id, { event: { text: "x".repeat(1_200_000) } });
  const { detail } = await trial.runtime.execution(executionId);
  expect(detail).toMatchObject({ event: null, eventBytes: 1_200_011 });
  await expect(trial.runtime.replay(executionId)).rejects.toMatchObject({ code: "not_replayable" });
});

it("secrets are masked in every field, also across the end of a cut text", async () => {
  const found = await recordOf(
    componentText(`dedupe: "unique",
      props: { ${secretProp}, db: "$.service.db", http: { type: "$.interface.http", customResponse: true } },
      async run(event) {
        const s = this.token;
        await fetch("https://api.test/" + "u".repeat(2_040) + s, { method: "POST", body: JSON.stringify({ [s]: btoa(s) }), headers: { "x-key": s } });
        console.log(s, { [s]: s });
        this.db.set(s, { in: s }); this.db.set("k", s);
        this.$emit({ [s]: s }, { id: s, summary: "has " + s, name: s });
        this.$emit({ [s]: s }, { id: s, summary: "has " + s, name: s });
        throw new TypeError("with " + s); /* ${secret} */
      },`),
    { token: secret },
    { given: secret },
  );
  expect(found.detail).toMatchObject({
    eventMasked: true,
    event: '{"given":"***"}',
    dropped: [{ reason: "repeated_in_run" }],
  });
  const [call] = found.detail.calls;
  expect(call?.responseHeaders["x-echo"]).toBe("***");
  expect(call?.responseBody?.text).toMatch(/^y+\**z*…$/);
  const text = JSON.stringify(found);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(Buffer.from(secret).toString("base64").replace(/=+$/, ""));
  expect(text).not.toContain(secret.slice(0, 8));
  const list = await trial.runtime.storedExecutions(found.sourceId, { limit: 1 });
  expect(JSON.stringify(list)).not.toContain(secret);
});

it("a text that is cut within a secret does not show a part of it, however many secrets are before", async () => {
  const found = await recordOf(
    runText(
      `const s = this.token; const many = (s + ",").repeat(5_000);
       for (let n = 0; n < 16; n++) await fetch("https://api.test/?" + "x".repeat(n) + many, { method: "POST", body: "x".repeat(n) + many, headers: { "x-many": "x".repeat(n) + many.slice(0, 9_000) } });`,
      `props: { ${secretProp} },`,
    ),
    { token: secret },
  );
  const { calls } = found.detail;
  expect(calls).toHaveLength(16);
  expect(calls[0]?.requestBody?.text).toContain("***,***");
  expect(JSON.stringify(calls)).not.toMatch(/ses|open-|-1234/);
});

it("the response of a request is masked and cut, and a body that is not text is base64", async () => {
  const view = await trial.deploy(
    componentText(`props: { ${secretProp}, http: { type: "$.interface.http", customResponse: true } },
      async run() {
        await fetch("https://api.test/binary");
        this.http.respond({ status: 200, headers: { "x-token": this.token }, body: this.token + "r".repeat(40_000) });
      },`),
    { token: secret },
  );
  await trial.hit(view);
  await trial.runtime.idle();
  const { items } = await trial.runtime.storedExecutions(view.source.id, { limit: 1 });
  const { detail } = await trial.runtime.execution(items[0]?.id ?? "");
  expect(detail.response).toMatchObject({ status: 200, headers: { "x-token": "***" }, bodyBytes: 40_016 });
  expect(detail.response?.body).toMatchObject({ truncated: true });
  expect(detail.response?.body.text).toMatch(/^\*\*\*r+…$/);
  expect(detail.calls[0]?.responseBody).toEqual({ base64: "//4A" });
});
