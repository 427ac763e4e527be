import { createHmac } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { answerText, componentText, openTrial, runText, type Trial } from "../../../runtime/src/runtime.cases.ts";

/** Behaviour that real components rely on. */

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ accounts: () => ({ token: "t-123456" }) });
});
afterAll(() => trial.runtime.close());

const account = { app: { authProvisionId: "apn_1" } };
const emits = async (code: string, event?: Json, props: { [prop: string]: Json } = {}): Promise<Json[]> => {
  const { source } = await trial.deploy(code, props);
  const { error } = await trial.runtime.invoke(source.id, event === undefined ? {} : { event });
  if (error) throw new Error(error.stack);
  return trial.payloads(source.id);
};

describe("texts and bytes", () => {
  it("keep NUL characters everywhere, and lone surrogates except in keys: event, db, emit, summary, channel", async () => {
    const text = "a\u0000b\ud800c";
    const { source } = await trial.deploy(
      runText(
        `this.db.set("n\\u0000k", event.text); this.$emit([event.text, this.db.get("n\\u0000k"), event.text.length], { id: event.text, summary: "s\\u0000t", name: "n\\u0000m" })`,
        `props: { db: "$.service.db" },`,
      ),
    );
    const { status } = await trial.runtime.invoke(source.id, { event: { text } });
    expect(status).toBe("ok");
    expect(await trial.payloads(source.id)).toEqual([[text, text, 5]]);
    expect(await trial.stored(source.id)).toMatchObject([{ dedupeId: text, summary: "s\u0000t", name: "n\u0000m" }]);
    expect(await (await trial.runtime.db(source.id)).get("n\u0000k")).toBe(text);
  });

  it("keep every byte of a body that goes out through respond", async () => {
    const view = await trial.deploy(
      runText(
        `this.http.respond({ status: 200, body: Uint8Array.from({ length: 256 }, (_, byte) => byte) })`,
        `props: { http: { type: "$.interface.http", customResponse: true } },`,
      ),
    );
    expect([...(await trial.hit(view)).body]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
  });

  it("11 bodyRaw is the exact text of the request, so that signatures can be checked", async () => {
    const body = ' {"b":1.0,\r\n "a":"\\u00e9 é \\u0000"}\n';
    const signature = createHmac("sha256", "key").update(body).digest("hex");
    const view = await trial.deploy(runText(`this.$emit(event.bodyRaw)`, `props: { http: "$.interface.http" },`));
    await trial.hit(view, { text: body });
    await trial.runtime.idle();
    const [raw] = (await trial.payloads(view.source.id)) as string[];
    expect(raw).toBe(body);
    expect(
      createHmac("sha256", "key")
        .update(raw ?? "")
        .digest("hex"),
    ).toBe(signature);
  });

  it("11 S26 a binary body arrives as base64, byte for byte", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const view = await trial.deploy(
      runText(
        `this.$emit([...atob(event.body_b64)].map((letter) => letter.charCodeAt(0)))`,
        `props: { http: "$.interface.http" },`,
      ),
    );
    await trial.hit(view, { body: bytes, headers: [["content-type", "application/octet-stream"]] });
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id)).toEqual([[...bytes]]);
  });

  it("T11 a form body stays text for URLSearchParams", async () => {
    const view = await trial.deploy(
      runText(
        `this.$emit(Object.fromEntries(new URLSearchParams(event.body)))`,
        `props: { http: "$.interface.http" },`,
      ),
    );
    await trial.hit(view, { text: "a=1&b=x+y", headers: [["content-type", "application/x-www-form-urlencoded"]] });
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id)).toEqual([{ a: "1", b: "x y" }]);
  });
});

describe("this", () => {
  it("2 db is synchronous, and await works too", async () => {
    const code = runText(
      `const before = this.db.get("list"); this.db.set("list", [1]); const list = this.db.get("list"); list.push(2);
       this.$emit([before ?? "none", this.db.get("list"), await this.db.get("list"), list]);`,
      `props: { db: "$.service.db" },`,
    );
    expect(await emits(code)).toEqual([["none", [1], [1], [1, 2]]]);
  });

  it("2 $emit works without await, also in an unawaited promise that settles in time", async () => {
    const code = runText(
      `[1, 2].forEach((n) => this.$emit(n)); const done = (async () => { await null; this.$emit(3) })(); await done; void this.$emit(4);`,
    );
    expect(await emits(code)).toEqual([1, 2, 3, 4]);
  });

  it("3 methods work as values: destructured, passed to forEach, and of apps", async () => {
    const code = componentText(
      `props: { app: { type: "app", app: "demo", propDefinitions: {}, methods: {
          base() { return "base " + this.$auth.token }, list(n) { return [this.base(), n] } } } },
       methods: { emitEvent(item) { this.$emit(item) }, label() { return "label" }, both() { return this.label() } },
       run() {
         ["a", "b"].forEach(this.emitEvent);
         const { both } = this;
         const resource = { fn: this.app.list };
         this.$emit([both(), resource.fn(1)]);
       },`,
    );
    expect(await emits(code, undefined, account)).toEqual(["a", "b", ["label", ["base t-123456", 1]]]);
  });

  it("4 ts may be a number, NaN, an ISO text or a Date; nothing is refused", async () => {
    const code = runText(
      `for (const ts of [3, "2", NaN, "1970-01-01T00:00:00.001Z", new Date(0), undefined, null, "soon", {}]) this.$emit(String(ts), { ts });`,
    );
    const order = (await emits(code)) as string[];
    expect(new Date(order[0] ?? "").getTime()).toBe(0);
    expect(order.slice(1, 4)).toEqual(["1970-01-01T00:00:00.001Z", "2", "3"]);
    expect(order.slice(4)).toEqual(["NaN", "undefined", "null", "soon", "[object Object]"]);
  });

  it("5 the event can be destructured, whatever started the run", async () => {
    const code = runText(`const { $ = "none", body = "none" } = event; this.$emit([$, body]);`);
    expect(await emits(code)).toEqual([["none", "none"]]);
  });

  it("7 greatest accepts all of a newest-first list when the events have times", async () => {
    const code = componentText(
      `dedupe: "greatest", run(event) { for (const id of event) this.$emit(id, { id, ts: id * 1000 }) },`,
    );
    const { source } = await trial.deploy(code);
    await trial.runtime.invoke(source.id, { event: [3, 2, 1] });
    await trial.runtime.invoke(source.id, { event: [5, 4, 3, 2] });
    expect(await trial.payloads(source.id)).toEqual([1, 2, 3, 4, 5]);
  });

  it("9 methods named like hooks are methods", async () => {
    const code = componentText(
      `methods: { deploy() { return "method deploy" }, activate() { return "method activate" }, run() { return "method run" } },
       hooks: { deploy() { this.$emit("hook, and " + this.deploy()) } },
       run() { this.$emit("run, and " + this.activate() + ", and " + this.run()) },`,
    );
    expect(await emits(code)).toEqual(["hook, and method deploy", "run, and method activate, and method run"]);
  });

  it("9 a component that spreads an app object runs as a component", async () => {
    const code = `const app = { type: "app", app: "demo", propDefinitions: {}, methods: { url() { return "u" }, auth() { return this.app?.$auth?.token ?? "no auth" } } };
      export default { ...app, name: "Spread", version: "1", type: "source", props: { app }, methods: { ...app.methods, own() { return this.url() } },
        run() { this.$emit([this.own(), this.app.url(), this.auth()]) } };`;
    expect(await emits(code, undefined, account)).toEqual([["u", "u", "t-123456"]]);
  });

  it("10 async generators in apps and components work", async () => {
    const code = componentText(
      `props: { app: { type: "app", app: "demo", methods: { async *pages(n) { for (let page = 0; page < n; page++) { await null; yield page } } } } },
       methods: { async *doubled() { for await (const page of this.app.pages(3)) yield page * 2 } },
       async run() { for await (const item of this.doubled()) this.$emit(item) },`,
    );
    expect(await emits(code, undefined, account)).toEqual([0, 2, 4]);
  });

  it("existing components emit with other fields in the meta, use eval, and have defaults on required props", async () => {
    const code = componentText(
      `props: { size: { type: "integer", default: 25 } },
       run() { this.$emit(eval("this.size + 1"), { id: 1, summary: "s", ts: 2, name: "orders", delivery_ts: 3 }) },`,
    );
    const { source } = await trial.deploy(code);
    const { error, logs } = await trial.runtime.invoke(source.id);
    expect([error, logs]).toEqual([null, []]);
    expect(await trial.stored(source.id)).toMatchObject([
      { payload: "26", summary: "s", dedupeId: "1", name: "orders" },
    ]);
  });

  it("intervals may be longer than 2^31 ms", async () => {
    const code = componentText(
      `props: { timer: { type: "$.interface.timer", static: { intervalSeconds: 86400000 } } }, run(event) { this.$emit(event.interval_seconds) },`,
    );
    const { source } = await trial.deploy(code);
    await trial.advance(86_400_000_000 - 1);
    expect(await trial.payloads(source.id)).toEqual([]);
    await trial.advance(1);
    expect(await trial.payloads(source.id)).toEqual([86_400_000]);
  });

  it("R030 a CommonJS module works as a component", async () => {
    expect(await emits(`module.exports = { name: "C", version: "1", run() { this.$emit("cjs") } };`)).toEqual(["cjs"]);
  });

  it("G32 respond works unawaited and awaited", async () => {
    const view = await trial.deploy(
      runText(
        `await this.http.respond({ status: 200, body: "x" })`,
        `props: { http: { type: "$.interface.http", customResponse: true } },`,
      ),
    );
    expect(answerText(await trial.hit(view))).toBe("x");
  });
});
