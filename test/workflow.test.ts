import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

const workflow = readFileSync(new URL("../.github/workflows/ci.yml", import.meta.url), "utf8");

test("the workflow runs exactly .ci/run, on pushes and pull requests", () => {
  const commands = [...workflow.matchAll(/\brun:[ \t]*(.*)$/gm)].map(([, command]) => command);
  expect(commands).toEqual(["bash .ci/run"]);
  expect(workflow).toContain("on:\n  push:\n  pull_request:\n");
  expect(workflow).not.toMatch(/^\s+services:/m);
});

test("the workflow pins each action to a major version", () => {
  const actions = [...workflow.matchAll(/\buses:[ \t]*(.*)$/gm)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(2);
  for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
});
