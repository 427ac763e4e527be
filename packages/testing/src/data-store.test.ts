import { describe, expect, test } from "vitest";

import { source } from "./source.ts";
import { workflow } from "./workflow.ts";

const code = `export default {
  name: "Visits",
  version: "0.0.1",
  props: { visits: { type: "data_store" }, http: "$.interface.http" },
  async run({ body }) {
    const count = ((await this.visits.get(body.who)) ?? 0) + 1;
    await this.visits.set(body.who, body.broken ? "x".repeat(100_000) : count);
    this.$emit(await this.visits.entries());
  },
};`;

describe.each(["quickjs", "threads", "node"] as const)("S62 data stores in the harness, engine %s", (engine) => {
  test("a test fills them before the deploy, and reads what runs wrote, also after a restart", async () => {
    await using visits = source({ code }, { props: { visits: "visits" }, engine });
    await visits.setDataStore("visits", { ann: 2, bob: 7 });
    await visits.deploy();
    expect(visits.dataStores).toEqual({ visits: { ann: 2, bob: 7 } });
    await visits.request("POST /", { body: { who: "ann" } });
    expect(visits.emits[0]?.event).toEqual([
      ["ann", 3],
      ["bob", 7],
    ]);
    await visits.restart();
    await visits.setDataStore("visits", { bob: undefined });
    await visits.request("POST /", { body: { who: "ann" } });
    expect(visits.dataStores).toEqual({ visits: { ann: 4 } });
    expect(visits.runs.map(({ dataStores }) => dataStores)).toEqual([{ visits: { ann: 3 } }, { visits: { ann: 4 } }]);
    expect(visits.story).toContain("data store visits: set ann = 4");
  });

  test("a limit is named, and a run that fails writes nothing", async () => {
    await using visits = source({ code }, { props: { visits: "visits" }, engine });
    await visits.deploy();
    await expect(visits.request("POST /", { body: { who: "ann", broken: true } })).rejects.toThrow(
      'The value of data store key "ann" must be at most 61440 bytes of JSON, got 100002',
    );
    expect(visits.dataStores).toEqual({});
  });
});

test("S62 the steps of a workflow have data stores, and a computed value cannot name one", async () => {
  const action = (props: string): string => `const count = { name: "count", version: "1",
      props: { store: { type: "data_store" } },
      async run() { const n = ((await this.store.get("n")) ?? 0) + 1; await this.store.set("n", n); return n } };
    export default { name: "Counting", steps: [
      { name: "one", action: count, props: { store: ${props} } },
      { name: "two", action: count, props: { store: "shop" } },
      { name: "tell", run({ steps, $ }) { $.send.emit([steps.one.$return_value, steps.two.$return_value]) } } ] };`;
  await using counting = workflow({ code: action(`"shop"`) });
  await counting.register();
  await counting.setDataStore("shop", { n: 5 });
  await counting.run();
  expect(counting.emits.map(({ event }) => event)).toEqual([[6, 7]]);
  expect(counting.dataStores).toEqual({ shop: { n: 7 } });
  await using computed = workflow({ code: action(`() => "shop"`) });
  await expect(computed.register()).rejects.toThrow('Prop "store" of step one cannot be a function');
});
