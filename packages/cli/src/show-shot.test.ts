import { expect, test } from "vitest";

import { runHere } from "./run-here.cases.ts";
import { makeFolder } from "./spawned.cases.ts";

const component = `export default { name: "Long", version: "1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run() { this.$emit("\u{1f389}".repeat(5_000)); this.http.respond({ status: 202 }); } };
`;

test("what would flood a terminal is cut, between characters; an answer without a body is one line", async () => {
  await using folder = await makeFolder({ "long.js": component });
  const { code, out } = await runHere(["run", "long.js"], { cwd: folder.path });
  const [, event = "", ...others] = out.split("\n");
  expect(code).toBe(0);
  expect(event).toMatch(/^ {2}event {2}"(?:\u{1f389})+… \(60\d\d more characters; --json has them\)$/u);
  expect(others).toEqual(["  response  202", ""]);

  const whole = await runHere(["run", "long.js", "--json"], { cwd: folder.path });
  expect(whole.out).toContain("\u{1f389}".repeat(5_000));
});
