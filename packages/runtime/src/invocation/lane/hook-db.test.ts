import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { componentText, openTrial, type Trial } from "../../runtime.cases.ts";

let trial: Trial;
let server: Server;
let service: string;
/** Requests to the endpoint that the service makes before and after it answers a registration. */
interface Registration {
  readonly endpoint: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

const call = (endpoint: string, text: string): Promise<unknown> =>
  trial.runtime.request(endpoint, {
    method: "POST",
    path: "/",
    url: endpoint,
    search: "",
    headers: [["content-type", "text/plain"]],
    body: new TextEncoder().encode(text),
    clientIp: "127.0.0.1",
  });

beforeAll(async () => {
  trial = await openTrial({ network: { mode: "allow-private" } });
  server = createServer((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (part: string) => (text += part));
    incoming.on("end", () => {
      const { endpoint, before = [], after = [] } = JSON.parse(text) as Registration;
      void Promise.all(before.map((each) => call(endpoint, each))).then(async () => {
        outgoing.end("{}");
        for (const each of after) await call(endpoint, each);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await trial.runtime.close();
  server.close();
});

/** A component whose requests write `key=value` pairs to the db, or delete keys; `hook` is the body of a hook. */
const registering = (hook: string, { name = "activate", customResponse = false } = {}): string =>
  componentText(`props: { db: "$.service.db", http: { type: "$.interface.http", customResponse: ${customResponse} } },
    methods: {
      async register(more) {
        await fetch("${service}", { method: "POST", body: JSON.stringify({ endpoint: this.http.endpoint, ...more }) });
      },
      state() { return Object.fromEntries(this.db.keys().map((key) => [key, this.db.get(key)])); },
    },
    hooks: { async ${name}() { ${hook} } },
    run({ bodyRaw }) {
      if (${customResponse}) this.http.respond({ status: 200, body: bodyRaw });
      const [key, value] = bodyRaw.split("=");
      if (value === undefined) this.db.delete(key);
      else this.db.set(key, value);
    },`);

const deployed = async (code: string): Promise<{ seen: unknown; db: unknown }> => {
  const { source } = await trial.deploy(code);
  const log = await trial.log(source.id);
  const db = (await trial.runtime.dbEntries(source.id)).map(({ key, value }) => [key, value]);
  return { seen: JSON.parse(log.at(-1) ?? "null"), db: Object.fromEntries(db) };
};

describe("a hook reads what requests have written while it ran", () => {
  it.each([
    ["activate", true],
    ["activate", false],
    ["deploy", true],
    ["deploy", false],
  ])("S58 in %s, after the answer of the service, customResponse: %s", async (name, customResponse) => {
    const hook = `const before = this.state();
      await this.register({ before: ["token=t-1", "other=1"] });
      console.log(JSON.stringify([before, this.state(), this.db.has("token")]));`;
    expect(await deployed(registering(hook, { name, customResponse }))).toEqual({
      seen: [{}, { token: "t-1", other: "1" }, true],
      db: { token: "t-1", other: "1" },
    });
  });

  it("S58 while it waits for a request that comes later", async () => {
    const hook = `await this.register({ after: ["step=1", "step=2"] });
      while (this.db.get("step") !== "2") await new Promise((resolve) => setTimeout(resolve, 5));
      console.log(JSON.stringify(this.state()));`;
    expect(await deployed(registering(hook))).toEqual({ seen: { step: "2" }, db: { step: "2" } });
  });

  it("S58 but for keys that it has written itself; deletions count as well", async () => {
    const hook = `this.db.set("mine", "hook"); this.db.set("gone", "hook"); this.db.delete("gone");
      await this.register({ before: ["mine=request", "gone=request", "free=request", "brief=request"] });
      await this.register({ before: ["brief"] });
      this.db.set("late", this.db.get("free"));
      console.log(JSON.stringify(this.state()));`;
    const state = { mine: "hook", free: "request", late: "request" };
    expect(await deployed(registering(hook))).toEqual({ seen: state, db: state });
  });

  it("S58 and all that requests at the same time write and emit is kept", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `k${index}`);
    const hook = `this.db.set("hook", "h"); this.$emit("hook");
      await this.register({ before: ${JSON.stringify(names.map((name) => `${name}=${name}`))} });
      console.log(JSON.stringify(this.state()));`;
    const code = registering(hook).replace("const [key, value]", "this.$emit(bodyRaw); const [key, value]");
    const { source } = await trial.deploy(code);
    const state = Object.fromEntries(names.map((name) => [name, name]));
    expect(JSON.parse((await trial.log(source.id)).at(-1) ?? "")).toEqual({ hook: "h", ...state });
    const db = (await trial.runtime.dbEntries(source.id)).map(({ key, value }) => [key, value]);
    expect(Object.fromEntries(db)).toEqual({ hook: "h", ...state });
    const stored = await trial.stored(source.id);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(13);
    expect(new Set(stored.map(({ payload }) => payload))).toEqual(
      new Set(['"hook"', ...names.map((name) => `"${name}=${name}"`)]),
    );
  });

  it("S58 also when an update activates it again, with what was stored before", async () => {
    const hook = `const before = this.db.get("count");
      await this.register({ before: ["count=" + (Number(before ?? 0) + 1)] });
      console.log(JSON.stringify([before ?? null, this.db.get("count")]));`;
    const code = registering(hook);
    const { source } = await trial.deploy(code);
    await trial.runtime.update(source.id, { code: `${code}// changed` });
    expect(await trial.log(source.id)).toEqual(['[null,"1"]', '["1","2"]']);
  });

  it("S58 not what a request wrote whose run was undone", async () => {
    const hook = `await this.register({ before: ["token=t-1"] }); console.log(JSON.stringify(this.state()));`;
    const failing = registering(hook)
      .replace("props:", "transactional: true, props:")
      .replace("else this.db.set(key, value);", '$& throw new Error("undone");');
    expect(await deployed(failing)).toEqual({ seen: {}, db: {} });
  });
});
