import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { answerText, componentText, headerOf, openTrial, runText, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ limits: { httpBodyBytes: 1_000, inboxPerSource: 2 } });
});
afterAll(() => trial.runtime.close());

const plain = (body: string): string => runText(body, `props: { http: "$.interface.http", db: "$.service.db" },`);
const custom = (body: string): string =>
  runText(body, `props: { http: { type: "$.interface.http", customResponse: true }, db: "$.service.db" },`);
const wait = "await new Promise((done) => setTimeout(done, 30));";

describe("an endpoint without customResponse", () => {
  it("G29 answers 200 before run ends, and run gets the request", async () => {
    const view = await trial.deploy(plain(`${wait} this.$emit(event)`));
    const answer = await trial.hit(view, { method: "PUT", path: "/a/b", search: "q=1&q=2", text: '{"x":[1]}' });
    expect(answer.status).toBe(200);
    expect(await trial.payloads(view.source.id)).toEqual([]);
    await trial.runtime.idle();
    const [event] = (await trial.payloads(view.source.id)) as { [field: string]: unknown }[];
    expect(event).toMatchObject({
      method: "PUT",
      path: "/a/b",
      query: { q: ["1", "2"] },
      headers: { "content-type": "application/json" },
      bodyRaw: '{"x":[1]}',
      body: { x: [1] },
      client_ip: "127.0.0.1",
    });
    for (const name of ["timestamp", "interval_seconds", "cron"]) expect(event).not.toHaveProperty(name);
  });

  it("G32 respond is ignored with one warning", async () => {
    const view = await trial.deploy(plain(`this.http.respond({ status: 418 }); this.http.respond({ status: 418 })`));
    expect((await trial.hit(view)).status).toBe(200);
    await trial.runtime.idle();
    const logs = (await trial.payloads(view.source.id, "$logs")) as { k: string; msg: string }[];
    expect(logs.map(({ k }) => k)).toEqual(["console.warn"]);
    expect(logs[0]?.msg).toContain("respond is ignored");
  });

  it("G37 OPTIONS is answered here and runs nothing", async () => {
    const view = await trial.deploy(plain(`this.$emit(1)`));
    const answer = await trial.hit(view, { method: "OPTIONS" });
    await trial.runtime.idle();
    expect(answer.status).toBe(204);
    expect(headerOf(answer, "access-control-allow-origin")).toBe("*");
    expect(await trial.payloads(view.source.id)).toEqual([]);
  });

  it("G34 an unknown or inactive endpoint is 404, and a large body 413", async () => {
    const view = await trial.deploy(plain(`this.$emit(1)`));
    expect((await trial.hit({ ...view, source: { ...view.source, endpoints: { http: "x" } } })).status).toBe(404);
    expect((await trial.hit(view, { text: "x".repeat(1_000) })).status).toBe(200);
    expect((await trial.hit(view, { text: "x".repeat(1_001) })).status).toBe(413);
    await trial.runtime.update(view.source.id, { active: false });
    expect((await trial.hit(view)).status).toBe(404);
    await trial.runtime.update(view.source.id, { active: true });
    expect((await trial.hit(view)).status).toBe(200);
    await trial.runtime.delete(view.source.id);
    expect((await trial.hit(view)).status).toBe(404);
  });

  it("a query and headers of more than 64 KiB together are 431", async () => {
    const view = await trial.deploy(plain(`this.$emit(Object.keys(event.query).length)`));
    const most = 64 * 1024;
    for (const search of ["a&".repeat(120_000), "x".repeat(most + 1)])
      expect((await trial.hit(view, { search })).status).toBe(431);
    expect((await trial.hit(view, { search: "a&".repeat(most / 2 - 100) })).status).toBe(200);
    expect((await trial.hit(view, { headers: [["x-a", "x".repeat(most)]] })).status).toBe(431);
  });

  it("S1 a full inbox answers 429 with Retry-After, and accepted requests run", async () => {
    const view = await trial.deploy(plain(`${wait} this.$emit(event.body)`));
    const answers = await Promise.all(["1", "2", "3", "4"].map((text) => trial.hit(view, { text })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(headerOf(answers[3] ?? answers[0] ?? (await trial.hit(view)), "retry-after")).toBe("1");
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id)).toEqual([1, 2]);
    expect((await trial.hit(view)).status).toBe(200);
  });

  it("4.6 each HTTP prop has an endpoint of its own, and only the one that fired may respond", async () => {
    const view = await trial.deploy(
      componentText(`
        props: { a: { type: "$.interface.http", customResponse: true }, b: { type: "$.interface.http", customResponse: true } },
        run(event) {
          try { this.a.respond({ status: 201, body: "a" }) } catch (error) { console.log(error.message) }
          try { this.b.respond({ status: 202, body: "b" }) } catch (error) { console.log(error.message) }
        },`),
    );
    const { a = "", b = "" } = view.source.endpoints;
    expect(a).not.toBe(b);
    const answers = [];
    for (const key of [a, b]) {
      answers.push(await trial.hit({ ...view, source: { ...view.source, endpoints: { key } } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 202]);
    expect(answers.map(answerText)).toEqual(["a", "b"]);
  });
});

describe("an endpoint with customResponse", () => {
  it("G31 the response is sent at the call, while run continues", async () => {
    const view = await trial.deploy(
      custom(`this.http.respond({ status: 202, headers: { "x-a": "1" }, body: { ok: 1 } }); ${wait} this.$emit("end")`),
    );
    const answer = await trial.hit(view);
    expect(answer.status).toBe(202);
    expect(headerOf(answer, "x-a")).toBe("1");
    expect(headerOf(answer, "content-type")).toBe("application/json");
    expect(answerText(answer)).toBe('{"ok":1}');
    expect(await trial.payloads(view.source.id)).toEqual([]);
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id)).toEqual(["end"]);
  });

  it("R062 sends bytes unchanged, strings as text, and numbers as text", async () => {
    const view = await trial.deploy(
      custom(
        `const body = { bytes: new Uint8Array([0, 255, 10]), text: "é", number: 12, none: undefined }[event.path.slice(1)]; this.http.respond({ status: "200", body })`,
      ),
    );
    const body = async (path: string): Promise<number[]> => [...(await trial.hit(view, { path })).body];
    expect(await body("/bytes")).toEqual([0, 255, 10]);
    expect(await body("/text")).toEqual([...new TextEncoder().encode("é")]);
    expect(await body("/number")).toEqual([49, 50]);
    expect(await body("/none")).toEqual([]);
  });

  it("G31 the first respond wins, a second one warns", async () => {
    const view = await trial.deploy(custom(`this.http.respond({ status: 201 }); this.http.respond({ status: 500 })`));
    expect((await trial.hit(view)).status).toBe(201);
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id, "$logs")).toMatchObject([
      { k: "console.warn", msg: "respond was called again; the first answer was sent" },
    ]);
  });

  it("names members of a response that have no meaning in a warning", async () => {
    const view = await trial.deploy(custom(`this.http.respond({ status: 201, bdy: "", header: {} })`));
    expect((await trial.hit(view)).status).toBe(201);
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id, "$logs")).toMatchObject([
      { k: "console.warn", msg: "respond ignores bdy, header: it takes status, headers and body" },
    ]);
  });

  it("S23 no respond is 500 to the client and an error record", async () => {
    const view = await trial.deploy(custom(`this.$emit("kept")`));
    expect((await trial.hit(view)).status).toBe(500);
    expect(await trial.payloads(view.source.id)).toEqual(["kept"]);
    expect(await trial.payloads(view.source.id, "$errors")).toMatchObject([
      { error: { code: "no_response", cellId: "c_run" }, original_context: { source_type: "HTTP" } },
    ]);
  });

  it("G30 a throw is 500 without the text of the error", async () => {
    const view = await trial.deploy(custom(`throw new Error("inner secret")`));
    const answer = await trial.hit(view);
    expect(answer.status).toBe(500);
    expect(answerText(answer)).not.toContain("inner secret");
  });

  it("G31 a throw after respond changes nothing for the client", async () => {
    const view = await trial.deploy(custom(`this.http.respond({ status: 200 }); throw new Error("late")`));
    expect((await trial.hit(view)).status).toBe(200);
    await trial.runtime.idle();
    expect(await trial.payloads(view.source.id, "$errors")).toMatchObject([{ error: { msg: "late" } }]);
  });

  it("G30 a run that takes too long is 504", async () => {
    const view = await trial.deploy(custom(`for (;;) {}`), {}, { settings: { runTimeoutMs: 50 } });
    expect((await trial.hit(view)).status).toBe(504);
  });

  it("R061 a bad status is an error of the component, and 500", async () => {
    const view = await trial.deploy(custom(`this.http.respond({ [event.path.slice(1)]: 700 })`));
    expect((await trial.hit(view, { path: "/status" })).status).toBe(500);
    expect((await trial.hit(view, { path: "/statusCode" })).status).toBe(500);
    expect(await trial.payloads(view.source.id, "$errors")).toMatchObject([
      { error: { code: "RangeError", msg: "respond: status must be an integer from 100 to 599, got 700" } },
      { error: { code: "TypeError", msg: "respond takes status, not statusCode: did you mean status?" } },
    ]);
  });

  it("G37 OPTIONS goes to the component", async () => {
    const view = await trial.deploy(custom(`this.http.respond({ status: 200, body: event.method })`));
    expect(answerText(await trial.hit(view, { method: "OPTIONS" }))).toBe("OPTIONS");
    expect((await trial.hit(view, { method: "HEAD" })).body).toHaveLength(0);
  });

  it("a manual run without a client reports that respond is refused", async () => {
    const view = await trial.deploy(custom(`this.http.respond({ status: 200 })`));
    const execution = await trial.runtime.invoke(view.source.id, { event: {} });
    expect(execution).toMatchObject({ status: "error", response: null, error: { code: "component_threw" } });
  });
});
