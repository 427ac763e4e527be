import { expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { singleRun } from "./single-run.cases.ts";
import { resultJson, resultText } from "./result-text.ts";

const component = `export default { name: "Long", version: "1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run() { this.$emit("\u{1f389}".repeat(5_000)); this.http.respond({ status: 202 }); } };
`;

test("what would flood a terminal is cut, between characters; an answer without a body is one line", async () => {
  await using folder = await makeFolder({ "long.js": component });
  const shot = await singleRun(folder.path, "long.js");
  const [, event = "", ...others] = resultText(shot, folder.path).split("\n");
  expect(event).toMatch(/^ {2}event {2}"(?:\u{1f389})+… \(60\d\d more characters; --json has them\)$/u);
  expect(others).toEqual(["  response  202"]);
  expect(JSON.stringify(resultJson(shot, 0))).toContain("\u{1f389}".repeat(5_000));
});

test("an error that an account or a flag can fix is printed with that, and with the author's line", async () => {
  const app = `{ acme: { type: "app", app: "acme" } }`;
  await using folder = await makeFolder({
    "keyless.js": `export default { name: "A", version: "1", props: ${app}, run() { this.acme.$auth.key.at(0); } };`,
    "acme.json": `{"acme":{"key":"k"}}`,
    "local.js": `export default { name: "B", version: "1", hooks: {
  deploy: () => fetch("http://127.0.0.1:1/"),
}, run() {} };`,
  });
  const run = (...args: string[]) => runHere(["run", ...args], { cwd: folder.path });
  const hint = 'Prop "acme" has no account, so its $auth is empty: --accounts FILE';
  expect((await run("keyless.js")).out).toContain(hint);
  expect(await run("keyless.js", "--accounts", "acme.json")).toMatchObject({ code: 0 });
  expect((await run("local.js")).err).toMatch(
    /\n {2}Caused by: Address 127\.0\.0\.1 .* \(--network allow-private opens them\)\n {4}2 \| {3}deploy: \(\) => fetch\(.*\n {6}\| +\^\n/,
  );
});
