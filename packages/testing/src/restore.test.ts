import { describe, expect, test } from "vitest";

import { componentText } from "./source.cases.ts";
import { source } from "./vitest.ts";

const counter = {
  code: componentText(`
    dedupe: "unique",
    props: { db: "$.service.db", timer: "$.interface.timer" },
    hooks: { deploy() { this.$emit("deployed", { id: "d" }); }, activate() { throw new Error("must not run"); } },
    run({ ids = [] }) {
      this.db.set("count", (this.db.get("count") ?? 0) + 1);
      for (const id of ids) this.$emit(id, { id });
      for (const id of ids) this.$emit(id, { id, name: "side" });
    },`),
};

describe("restore", () => {
  test("puts a source in place without hooks, with its db and the ids that dedupe remembers", async () => {
    const trial = source(counter);
    await trial.restore({ db: { count: 6, other: null }, dedupeIds: { "": ["a"], side: ["b"] } });
    expect(trial.hooks).toEqual([]);
    expect(trial.db).toEqual({ count: 6, other: null });
    const run = await trial.run({ ids: ["a", "b"] });
    expect(run.emits).toMatchObject([
      { event: "b", channel: "" },
      { event: "a", channel: "side" },
    ]);
    expect(run.deduped).toMatchObject([
      { id: "a", channel: "", reason: "duplicate" },
      { id: "b", channel: "side", reason: "duplicate" },
    ]);
    expect(trial.db).toEqual({ count: 7, other: null });
    await trial.restart();
    expect(await trial.tick("1h")).toHaveLength(1);
  });

  test("takes the ids of the default stream as a list, the greatest and the last id as one", async () => {
    const code = (strategy: string): string =>
      componentText(`dedupe: "${strategy}", run({ ids }) { for (const id of ids) this.$emit(id, { id }); }`);
    const greatest = source({ code: code("greatest") });
    await greatest.restore({ dedupeIds: ["5"] });
    await greatest.run({ ids: [4, 6] });
    expect(greatest.emits).toMatchObject([{ event: 6 }]);
    const long = "x".repeat(80);
    const last = source({ code: code("last") });
    await last.restore({ dedupeIds: [long] });
    await last.run({ ids: ["before", long, "after"] });
    expect(last.emits).toMatchObject([{ event: "after" }]);
  });

  test("S55 refuses ids that greatest cannot compare", async () => {
    const code = componentText(`dedupe: "greatest", run({ ids }) { for (const id of ids) this.$emit(id, { id }); }`);
    await expect(source({ code }).restore({ dedupeIds: { side: ["5", "abc"] } })).rejects.toThrow(/numbers.*abc/);
    const padded = source({ code });
    await padded.restore({ dedupeIds: [" 5 "] });
    await padded.run({ ids: [5, 6] });
    expect(padded.emits).toMatchObject([{ event: 6 }]);
  });

  test("refuses ids without a dedupe strategy, values that are too large, and names that it does not know", async () => {
    const plain = { code: componentText("run() {}") };
    await expect(source(plain).restore({ dedupeIds: ["a"] })).rejects.toThrow("the component has no dedupe");
    await expect(source(plain).restore({ db: { big: "x".repeat(70_000) } })).rejects.toThrow("big");
    await expect(source(plain).restore({ dp: {} } as object)).rejects.toThrow('There is no part of a state "dp"');
  });
});

describe("run", () => {
  test("acts as a request to an HTTP prop and has the response", async () => {
    const trial = source({
      code: componentText(`props: { http: { type: "$.interface.http", customResponse: true } },
        run({ body }) { this.http.respond({ status: 201, headers: { "X-A": "1" }, body: { got: body } }); }`),
    });
    await trial.deploy();
    const { response } = await trial.run({ method: "POST", body: [1] }, { prop: "http" });
    expect(response).toHaveRespondedWith({ status: 201, headers: { "x-a": "1" }, body: { got: [1] } });
    // S53: so does an event that is a request, or a part of one.
    expect((await trial.run({ body: [2] })).response).toHaveRespondedWith({ status: 201, body: { got: [2] } });
    await expect(trial.run({ id: 1 })).rejects.toThrow("a run that a request to http started");
  });
});
