import { expect, test } from "vitest";

import { componentText } from "./source.cases.ts";
import { reply, source } from "./vitest.ts";

const items = "[1234567890123456789,1234567890123456790]";

test("S54 the harness shows the warning of ids beyond 2^53; with exactIntegers they stay apart", async () => {
  const code = componentText(`dedupe: "unique", async run() {
    const ids = await (await fetch("https://a.test/")).json();
    for (const id of ids) this.$emit({ id }, { id });
  }`);
  const routes = { "GET https://a.test/": reply(200, items) };
  const rounded = source({ code }, { routes });
  await rounded.deploy();
  const { emits, logs } = await rounded.run();
  expect(emits).toHaveLength(1);
  expect(logs.map(({ message }) => message)).toEqual([expect.stringContaining("is a number beyond 2^53")]);
  const exact = source({ code }, { routes, settings: { exactIntegers: true } });
  await exact.deploy();
  await exact.run();
  expect(exact).toHaveEmitted([{ id: "1234567890123456789" }, { id: "1234567890123456790" }]);
});
