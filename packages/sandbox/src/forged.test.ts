import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { sha256Hex } from "../../model/src/process/sha256.ts";
import type { DataStoreCall, GuestReply, Sandbox } from "./contract.ts";
import { fewEffects, openOwnSandbox, runBody, type Seen, tryComponent } from "./sandbox.cases.ts";

const replyTo = (url: string): GuestReply => ({
  url,
  status: 200,
  statusText: "",
  headers: [],
  body: new Uint8Array(0),
  redirected: false,
});

describe("a component that changes built-ins of the prelude", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = openOwnSandbox(fewEffects);
  });
  afterAll(() => sandbox.close());

  it.each(["5", `"text"`])("ends with an error made of strings when its error becomes %s", async (forged) => {
    const seen = await tryComponent(
      sandbox,
      runBody(`Object.prototype.toJSON = () => ({ error: ${forged} }); throw new Error("x")`),
    );
    const { name, message, stack } = seen.outcome.error ?? {};
    expect([typeof name, typeof message, typeof stack]).toEqual(["string", "string", "string"]);
  });

  it.each([`undefined`, `"text"`, `{ a: 1 }`])(
    "has a list as data of a log record whose list becomes %s",
    async (forged) => {
      const seen = await tryComponent(
        sandbox,
        runBody(`Array.prototype.toJSON = () => (${forged}); console.log("hello")`),
      );
      expect(seen.logs.map(({ msg, data }) => [msg, data])).toEqual([["hello", '["hello"]']]);
    },
  );

  it("cannot have more timers on the host's side than the limit of a call", async () => {
    const seen = await tryComponent(
      sandbox,
      runBody(`Map.prototype.set = () => {}; this.$emit(1); for (;;) setTimeout(() => {}, 1e9)`),
    );
    expect(seen.outcome.error).toMatchObject({ code: "component_threw", name: "TimerLimitError" });
    expect(seen.emits).toHaveLength(1);
  });

  it("cannot have more bytes of requests on the host's side than the limit of a call", async () => {
    let bytes = 0;
    const seen = await tryComponent(
      sandbox,
      runBody(`const body = new Uint8Array(1 << 20); for (;;) fetch("http://a.example/", { method: "POST", body })`),
      {
        memoryBytes: 192 * 1024 * 1024,
        fetch: (request) => {
          bytes += request.body?.byteLength ?? 0;
          return new Promise(() => {});
        },
      },
    );
    expect(seen.outcome.error?.name).toBe("FetchLimitError");
    expect(bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  });

  it.each([
    ["summary", "EmitLimitError"],
    ["name", "EmitNameError"],
    ["id", "EmitLimitError"],
  ])("cannot send more than a run may emit inside the %s of events", async (field, name) => {
    const seen = await tryComponent(
      sandbox,
      runBody(`const long = "x".repeat(1 << 20); for (;;) this.$emit(1, { ${field}: long })`),
    );
    expect(seen.outcome.error).toMatchObject({ name });
    expect(seen.emits.length).toBeLessThan(4);
  });

  it("cannot respond with malformed headers", async () => {
    const seen = await tryComponent(
      sandbox,
      runBody(`
        let forged = { status: 200, headers: { a: [[[1]]] } };
        Object.prototype.toJSON = function () { const sent = forged ?? this; forged = undefined; return sent; };
        this.http.respond({ status: 200 });`),
      {
        event: { method: "GET" },
        call: {
          self: {
            props: {},
            http: { http: { endpoint: "http://a.example/", customResponse: true } },
            timers: {},
            db: [],
            auth: {},
          },
          httpProp: "http",
        },
      },
    );
    expect(seen.outcome.error?.message).toBe("The host refused a malformed call");
    expect(seen.responses).toEqual([]);
  });

  it("cannot send a request with an endless head", async () => {
    const seen = await tryComponent(sandbox, runBody(`await fetch("http://a.example/" + "x".repeat(2e6))`), {
      fetch: () => Promise.reject(new Error("it was sent")),
    });
    expect(seen.outcome.error).toMatchObject({ name: "FetchLimitError" });
  });

  it("cannot send endless deletions of db keys", async () => {
    const seen = await tryComponent(
      sandbox,
      // Writes over one key leave few bytes of what a run may send.
      runBody(`
        const long = "x".repeat(59_998);
        for (let n = 0; n < 69; n++) this.db.set("a", long);
        this.db.set("a", long.slice(20_000));
        Map.prototype.has = () => true;
        for (let n = 0; ; n++) this.db.delete("k".repeat(500) + n);`),
    );
    expect(seen.outcome.error).toMatchObject({ name: "DbTooLargeError" });
    expect(seen.db.filter(([, value]) => value === undefined).length).toBeLessThan(30);
  });

  describe("S62 of data stores it", () => {
    /** Sends this in place of the call, and emits the error. */
    const forging = (call: string, value = "1"): string => `
      Object.prototype.toJSON = function () { return this.dataStore ? { id: this.id, dataStore: ${call} } : this };
      try { await this.store.set("k", ${value}) } catch (error) { delete Object.prototype.toJSON; this.$emit([error.message, error.name]) }`;
    const asked: DataStoreCall[] = [];
    const dataStore = (call: DataStoreCall): Promise<string> => {
      asked.push(call);
      return Promise.resolve("");
    };
    beforeEach(() => void asked.splice(0));

    it.each([
      `{ prop: "other", op: "set", key: "k" }`,
      `{ prop: "__proto__", op: "set", key: "k" }`,
      `{ prop: ["store"], op: "set", key: "k" }`,
      `{ prop: "store", op: "drop", key: "k" }`,
      `{ prop: "store", op: ["set"], key: "k" }`,
      `{ prop: "store", op: "set" }`,
      `{ prop: "store", op: "set", key: { length: 1 } }`,
      `{ prop: "store", op: "get", key: "k" }`,
      `null`,
    ])("has those of its props alone, by the calls that there are: %s", async (call) => {
      const seen = await tryComponent(sandbox, runBody(forging(call)), { dataStore });
      expect(seen.emits.map(({ payload }) => payload).join()).toMatch(/malformed/);
      expect(asked).toEqual([]);
    });

    it.each([
      [`{ prop: "store", op: "set", key: "x".repeat(600) }`, "1", "DataStoreKeyTooLongError"],
      [`{ prop: "store", op: "set", key: "k" }`, `"x".repeat(70_000)`, "DataStoreValueTooLargeError"],
    ])("keeps the limits of keys and values: %s", async (call, value, name) => {
      const seen = await tryComponent(sandbox, runBody(forging(call, value)), { dataStore });
      expect(seen.emits.map(({ payload }) => payload).join()).toContain(name);
      expect(asked).toEqual([]);
    });

    it("cannot write more than a run may store, nor ask more at once than a run may request", async () => {
      const endless = (call: string): Promise<Seen> =>
        tryComponent(sandbox, runBody(`for (let n = 0; ; n++) ${call}`), { dataStore });
      const written = await endless(`await this.store.set("k" + n, "x".repeat(50_000))`);
      expect(written.outcome.error).toMatchObject({ name: "DataStoreTooLargeError" });
      const read = await endless(`this.store.entries()`);
      expect(read.outcome.error).toMatchObject({ name: "FetchLimitError" });
    });
  });

  it.each([[`JSON.stringify = () => "no json";`], [`JSON.stringify = () => "[".repeat(1e4) + "]".repeat(1e4);`]])(
    "is refused when its description is malformed: %s",
    async (change) => {
      const code = `${change} module.exports = { name: "t", version: "1", run() {} };`;
      const described = await sandbox.describe(
        { hash: sha256Hex(code), code },
        { timeoutMs: 5_000, memoryBytes: 64 * 1024 * 1024 },
      );
      expect(described).toMatchObject({ ok: false, error: { code: "component_threw", message: expect.any(String) } });
    },
  );
});

describe("requests of a call", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = openOwnSandbox();
  });
  afterAll(() => sandbox.close());

  it("continue after one was cancelled just when its reply arrived", async () => {
    const held = Promise.withResolvers<GuestReply>();
    const second = Promise.withResolvers<GuestReply>();
    const seen = await tryComponent(
      sandbox,
      // Busy from before the reply until it waits in the thread's queue.
      runBody(`
        const stop = new AbortController();
        const first = fetch("http://a.example/1", { signal: stop.signal }).catch(() => {});
        await new Promise((done) => setTimeout(done, 20));
        const until = performance.now() + 100;
        fetch("http://a.example/now").catch(() => {});
        while (performance.now() < until);
        stop.abort();
        await first;
        const answer = await fetch("http://a.example/2");
        this.$emit(answer.status);`),
      {
        fetch: async ({ url }) => {
          if (url.endsWith("/1")) return held.promise;
          if (url.endsWith("/now")) {
            held.resolve(replyTo(url));
            return replyTo(url);
          }
          setTimeout(() => second.resolve(replyTo(url)), 50);
          return second.promise;
        },
      },
    );
    expect(seen.outcome.error).toBeUndefined();
    expect(seen.emits.map(({ payload }) => payload)).toEqual(["200"]);
  });

  it("are all sent, however many start at once", async () => {
    let open = 0;
    let most = 0;
    const seen = await tryComponent(
      sandbox,
      runBody(`
        const all = await Promise.all(Array.from({ length: 500 }, (_, n) => fetch("http://a.example/" + n)));
        this.$emit(all.map(({ url }) => url.slice(17)).join());`),
      {
        fetch: async ({ url }) => {
          most = Math.max(most, ++open);
          await new Promise(setImmediate);
          open -= 1;
          return replyTo(url);
        },
      },
    );
    expect(seen.emits[0]?.payload).toBe(`"${Array.from({ length: 500 }, (_, n) => n).join()}"`);
    expect(most).toBeLessThanOrEqual(100);
  });

  it("leave the call its whole time only once: evaluating the module counts", async () => {
    const spin = `const until = performance.now() + 200; while (performance.now() < until);`;
    const emitTime = `const begun = performance.now(); let last = 0;
      for (;;) { const spent = performance.now() - begun; if (spent >= last + 10) this.$emit((last = spent)); }`;
    const code = `const id = crypto.randomUUID(); ${spin} ${runBody(emitTime)}`;
    const seen = await tryComponent(sandbox, code, { timeoutMs: 400 });
    expect(seen.outcome.status).toBe("timeout");
    // The thread may have had to wait right before the end; the whole time again would be twenty more.
    const late = seen.emits.filter(({ payload }) => Number(payload) > 200);
    expect(late.length).toBeLessThan(5);
  });
});
