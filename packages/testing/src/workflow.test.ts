import { expect, test } from "vitest";

import { workflow } from "./vitest.ts";

const greet = `export default {
  name: "Greet",
  trigger: { type: "http", customResponse: true },
  steps: [
    { name: "words", async run({ steps }) {
      const { body } = steps.trigger.event;
      if (!body) throw new RangeError("no body");
      await new Promise((done) => setTimeout(done, 60_000));
      return (await (await fetch("https://words.test/?text=" + body)).json()).words;
    } },
    { name: "tell", run({ steps, $ }) {
      console.log("telling");
      $.send.emit({ words: steps.words.$return_value }, { summary: "told" });
      $.respond({ status: 201, body: { count: steps.words.$return_value.length } });
    } },
  ],
};`;

const routes = { "GET https://words.test/": { words: ["hello", "world"] } };

test("a request runs the steps of a workflow; a step that throws fails the run", async () => {
  const greeting = workflow({ code: greet }, { routes });
  await greeting.register();
  expect(greeting.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:7777\/in\/\w+$/);
  expect(await greeting.request("POST /", { body: "hello world" })).toHaveRespondedWith(201, { count: 2 });
  expect(greeting).toHaveEmitted([{ words: ["hello", "world"] }]);
  expect(greeting).toHaveRequested("GET /");
  expect(greeting.logs.map(({ message }) => message)).toEqual(["telling"]);
  expect(greeting.runs.map(({ steps, status }) => [status, ...steps])).toEqual([["ok", "words", "tell"]]);
  expect(greeting.story).toContain("through words, tell\n");

  expect((await greeting.request("POST /")).status).toBe(500);
  expect(greeting.errors).toMatchObject([{ name: "RangeError", message: "no body" }]);
  expect(greeting.runs.at(-1)).toMatchObject({ status: "error", steps: ["words"] });
  await expect(greeting.run({ body: "" })).rejects.toThrow("no body");
});

test("a timer runs a workflow, also after a restart", async () => {
  const clock = workflow({
    code: `export default { name: "Clock", trigger: { type: "timer", intervalSeconds: 60 },
      steps: [{ name: "tell", run({ steps, $ }) { $.send.emit(steps.trigger.event.timestamp); } }] };`,
  });
  await clock.register();
  await clock.tick();
  await clock.restart();
  await clock.tick("2m");
  const start = Date.UTC(2026, 0, 1) / 1_000;
  expect(clock).toHaveEmitted([start + 60, start + 120, start + 180]);
});

test("db and setDb prefix the keys of a step with its name, also after a restart", async () => {
  const step = (name: string): string => `{ name: "${name}", props: { db: "$.service.db" }, run({ $ }) {
    const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); $.send.emit([n, ...this.db.keys()]) } }`;
  const counting = workflow({ code: `export default { name: "Counting", steps: [${step("one")}, ${step("two")}] };` });
  expect(counting.db).toEqual({});
  await expect(counting.setDb({ "one.n": 1 })).rejects.toThrow("setDb() needs a workflow that is registered");
  await counting.register();
  await counting.run();
  expect(counting.db).toEqual({ "one.n": 1, "two.n": 1 });
  await counting.setDb({ "two.n": 41, "two.seen": [true] });
  expect(counting.db).toEqual({ "one.n": 1, "two.n": 41, "two.seen": [true] });
  await counting.restart();
  expect(counting.db).toEqual({ "one.n": 1, "two.n": 41, "two.seen": [true] });
  await counting.run();
  expect(counting.emits.slice(2).map(({ event }) => event)).toEqual([
    [2, "n"],
    [42, "n", "seen"],
  ]);
  expect(counting.runs.at(-1)?.db).toEqual({ "one.n": 2, "two.n": 42 });
});

test("a step without its precondition is refused", async () => {
  const silent = workflow({ code: `export default { name: "Silent", steps: [{ name: "one", run() {} }] };` });
  await expect(silent.run()).rejects.toThrow("run() needs a workflow that is registered: await register() first.");
  await silent.register();
  await expect(silent.request("GET /")).rejects.toThrow('request() needs a workflow with trigger: { type: "http" }.');
  expect((await silent.run({ a: 1 })).steps).toEqual(["one"]);
  await expect(silent.register()).rejects.toThrow("The workflow is registered already.");
  expect(() => workflow("nowhere.mjs")).toThrow("There is no component file");
});
