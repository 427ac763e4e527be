import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Json } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { type Service, startService } from "../conformance/fixture.ts";
import { answers, type Scenario, scenarios } from "./scenarios.ts";
import { startUpstreams } from "./upstream.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const config = `const conditions = ["@x/source"];
export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ["*.test.js"] } };
`;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}

let folder = "";
beforeAll(async () => {
  await mkdir(join(root, "test/.tmp"), { recursive: true });
  folder = await mkdtemp(join(root, "test/.tmp/made-"));
  await writeFile(join(folder, "vitest.config.js"), config);
});
afterAll(() => rm(folder, { recursive: true }));

/** Deploys the component, runs it, and returns the test of one run, made after a later run. */
async function makeTest(service: Service, scenario: Scenario): Promise<string> {
  const { name, kind, code, props = {}, before = [], event, httpProp, appEvent } = scenario;
  const { runtime } = service;
  const own = httpProp === undefined ? {} : { httpProp };
  const accounts = code.includes('app: "acme"') ? { acme: { authProvisionId: await account(service) } } : {};
  const id =
    kind === "workflow"
      ? (await runtime.workflow({ code, name })).id
      : (await service.deploy(code, { ...props, ...accounts })).id;
  const run = async (data: Json): Promise<string> => {
    if (!appEvent) return (await runtime.invoke(id, { event: data, ...own })).executionId;
    await runtime.appEvents("acme", [{ names: appEvent, data }]);
    await runtime.idle();
    return (await runtime.storedExecutions(id, { limit: 1 })).items[0]?.id ?? "";
  };
  for (const each of before) await run(each);
  const executionId = await run(event);
  await run(event);
  const url = `${service.url}/v1/executions/${executionId}/test?component=./${name}.js`;
  const answer = await fetch(url, { headers: { authorization: "Bearer conformance-key-1" } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  return answer.text();
}

async function account(service: Service): Promise<string> {
  const { body } = await service.call<{ data: { id: string } }>("POST", "/accounts", {
    app: "acme",
    auth: { key: "key-of-the-account", scopes: ["read"] },
  });
  return body.data.id;
}

/** The outcome of each test in the folder: its name, and why it failed. */
async function runTests(): Promise<readonly (readonly [file: string, failures: readonly string[]])[]> {
  const args = [
    "--run",
    "--root",
    folder,
    "--testTimeout=120000",
    "--reporter=json",
    "--outputFile",
    join(folder, "report.json"),
  ];
  await new Promise<void>((resolve) =>
    execFile(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...args], { cwd: folder }, () =>
      resolve(),
    ),
  );
  const { testResults } = JSON.parse(await readFile(join(folder, "report.json"), "utf8")) as Report;
  return testResults
    .map(({ name, assertionResults }) => {
      const failures = assertionResults.flatMap(({ failureMessages }) => failureMessages);
      return [
        /(\w+)\.test\.js$/.exec(name)?.[1] ?? "",
        assertionResults.length === 0 ? ["no test"] : failures,
      ] as const;
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const names = scenarios.map(({ name }) => name).toSorted();

test("the test of a run passes beside its component, without secrets, and fails when the component is changed", async () => {
  await using upstreams = await startUpstreams(answers);
  await using service = await startService({ network: { upstream: upstreams.url } });
  for (const scenario of scenarios) {
    const text = await makeTest(service, scenario);
    for (const secret of ["token-of-the-prop", "key-of-the-account", "session-123456", "secret-of", "verify-123456"])
      expect(text).not.toContain(secret);
    await write(`${scenario.name}.js`, scenario.code);
    await write(`${scenario.name}.test.js`, text);
  }
  expect(await runTests()).toEqual(names.map((name) => [name, []]));
  for (const { name, code, change } of scenarios) {
    expect(code).toContain(change[0]);
    await write(`${name}.js`, code.replace(...change));
  }
  const changed = await runTests();
  expect(changed.map(([name]) => name)).toEqual(names);
  for (const [name, failures] of changed) expect(failures, name).toHaveLength(1);
});

test("a run without its event, a hook and a run of nobody make no test", async () => {
  await using service = await startService({ limits: {} });
  const { id } = await service.deploy(`export default { name: "H", version: "1", hooks: { deploy() {} }, run() {} };`);
  const [hook] = (await service.runtime.storedExecutions(id, { limit: 1 })).items;
  const refused = await service.call("GET", `/executions/${hook?.id}/test`);
  expect([refused.status, refused.body.code]).toEqual([409, "not_replayable"]);
  expect((await service.call("GET", "/executions/000000000000000000000000000/test")).status).toBe(404);
});
