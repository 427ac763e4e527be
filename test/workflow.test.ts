import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

const read = (name: string): string =>
  readFileSync(new URL(`../.github/workflows/${name}.yml`, import.meta.url), "utf8");
const workflow = read("ci");
const release = read("release");

test("the workflow runs exactly .ci/run, on pushes and pull requests", () => {
  const commands = [...workflow.matchAll(/\brun:[ \t]*(.*)$/gm)].map(([, command]) => command);
  expect(commands).toEqual(["bash .ci/run"]);
  expect(workflow).toContain("on:\n  push:\n  pull_request:\n");
  expect(workflow).not.toMatch(/^\s+services:/m);
});

test("a release is published when somebody asks for it, by npm run release, where npm can prove it", () => {
  expect(/^on:\n([^]*?)^\S/m.exec(release)?.[1]).toMatch(/^ {2}workflow_dispatch:\n(?: {4}.*\n|\n)*$/);
  expect(release).toContain("- run: npm run release ${{ inputs.publish && '-- --publish' || '' }}");
  expect(release).toMatch(/publish:\n(?: +.*\n)*? +default: false\n/);
  expect(release).toContain("id-token: write");
  expect(release).not.toMatch(/token: \$\{\{ secrets/i);
  const script = readFileSync(new URL("../scripts/release.sh", import.meta.url), "utf8");
  expect(script).toContain(
    'if [ "${1:-}" = --publish ]; then exec node scripts/publish.mjs "$folder/tarballs" --provenance; fi',
  );
});

test.each([workflow, release])("a workflow pins each action to a major version", (workflow) => {
  const actions = [...workflow.matchAll(/\buses:[ \t]*(.*)$/gm)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(1);
  for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
});
