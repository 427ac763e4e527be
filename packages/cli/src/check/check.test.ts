import { expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { progressLine } from "./progress.ts";
import { reportLines } from "./report.ts";

const app = `export default { type: "app", app: "acme", methods: {
  call() { return [this.$auth.oauth_access_token, this.$auth.region]; } } };`;
const source = (key: string, more = ""): string => `import acme from "../../acme.app.mjs";
export default { key: "${key}", name: "N", version: "0.0.1", type: "source", props: { acme${more} }, run() {} };`;
const files = {
  "components/acme/acme.app.mjs": app,
  "components/acme/common/base.mjs": `export default { methods: {}, run() {} };`,
  "components/acme/sources/one/one.mjs": source("acme-one"),
  "components/acme/sources/two/two.mjs": source("acme-two", `, table: { type: "sql", optional: true }`),
  "components/acme/sources/three/three.mjs": source("acme-three", `, table: { type: "sql" }`),
  "components/other/sources/four/four.mjs": `export default { key: "other-four", name: "N", version: "1", run() {} };`,
};

test("a folder is checked: what runs, what is refused and why, and the accounts that it needs", async () => {
  await using folder = await makeFolder(files);
  const { code, out } = await runHere(["check", "components"], { cwd: folder.path });
  expect(code).toBe(1);
  expect(out).toContain("2 run as they are\n1 run with a warning\n1 are refused\n");
  expect(out).toMatch(/invalid_component {2}1\n {4}acme\/sources\/three\/three\.mjs: .*type "sql"/);
  expect(out).toContain("prop-left-out  1  (x explain prop-left-out)");
  expect(out).toContain("acme  3 components: oauth_access_token, region");

  const only = await runHere(["check", "components", "--only", "acme", "--json", "--changed"], { cwd: folder.path });
  const { runnable, refused } = JSON.parse(only.out) as { runnable: { key: string }[]; refused: { file: string }[] };
  expect(runnable.map(({ key }) => key)).toEqual(["acme-one", "acme-two"]);
  expect(refused.map(({ file }) => file)).toEqual(["acme/sources/three/three.mjs"]);

  expect(await runHere(["check", "components", "--only", "nobody"], { cwd: folder.path })).toMatchObject({ code: 2 });
  expect(await runHere(["check", "absent"], { cwd: folder.path })).toMatchObject({ code: 2 });
});

test("a template has the apps of a folder, with the fields that their code reads", async () => {
  await using folder = await makeFolder(files);
  const { code, out, err } = await runHere(["accounts", "template", "components"], { cwd: folder.path });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ acme: { oauth_access_token: "", region: "" } });
  expect(err).toContain("1 apps, used by 3 components");
});

test("the largest reason comes first, and of many files only some are shown", () => {
  const refused = Array.from({ length: 14 }, (_, n) => ({
    file: `f${n}.mjs`,
    problem: { code: n < 12 ? "package_native" : "bundle_failed", message: "no" },
  }));
  const lines = reportLines({ runnable: [], refused: refused.toReversed(), accounts: [] });
  const text = lines.join("\n");
  expect(text.indexOf("package_native")).toBeLessThan(text.indexOf("bundle_failed"));
  expect(text).toContain("and 2 more (--json has all)");
});

test("progress is a bar of what is done", () => {
  expect(progressLine({ known: 4, evaluated: 2, refused: 1, total: 6 })).toBe(
    `[${"#".repeat(15)}${" ".repeat(15)}] 3 of 6 components, 1 refused`,
  );
});
