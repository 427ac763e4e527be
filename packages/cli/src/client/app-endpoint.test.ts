import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const listener = `const acme = { type: "app", app: "acme" };
export default { name: "Listener", version: "1",
  props: { acme, hook: { type: "$.interface.apphook", appProp: "acme", static: ["order.paid"] } },
  run(event) { this.$emit(event); } };`;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
let sourceId = "";
const x = (...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere([...args, "--url", service.baseUrl, "--api-key", "k"], { cwd: folder.path });

beforeAll(async () => {
  folder = await makeFolder({ "secret.txt": "the-secret\n" });
  service = await startServiceHere(folder.path, { apiKey: "k" });
  const { id } = await service.runtime.createAccount({ app: "acme", auth: { org: "7" } });
  const { source } = await service.runtime.deploy({ code: listener, props: { acme: { authProvisionId: id } } });
  sourceId = source.id;
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("A18 the endpoint of an app is made, shown, given another URL and removed", async () => {
  const made = await x("apps", "endpoint", "slack", "--secret-file", "secret.txt");
  expect([made.code, made.err]).toEqual([0, ""]);
  const { endpointUrl } = await service.runtime.appEndpoint("slack");
  expect(made.out).toContain(
    `slack: ${endpointUrl}\nRequests are verified: slack, 1 secret\n1. Open api.slack.com/apps`,
  );
  expect(made.out).not.toContain("the-secret");
  expect((await x("apps", "endpoint", "slack")).out).toContain("No source listens\n");
  expect((await x("apps", "ls")).out).toContain(endpointUrl);
  const rotated = await x("apps", "endpoint", "slack", "--rotate");
  expect(rotated.out).toContain(`slack: ${(await service.runtime.appEndpoint("slack")).endpointUrl}`);
  expect(rotated.out).not.toContain(endpointUrl);
  const both = await x("apps", "endpoint", "slack", "--rotate", "--scheme", "none");
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("--rotate takes no other flags")]);
  expect((await x("apps", "endpoint", "slack", "--rm")).out).toBe("Removed the endpoint of slack\n");
  expect((await x("apps", "endpoint", "slack", "--rm")).code).toBe(2);
});

test("A18 an event of an app reaches who listens, once, and its run says what it was", async () => {
  const event = ["apps", "event", "acme", "order.paid", "--data", '{"n":1}', "--id", "e-1"];
  expect((await x(...event)).out).toBe(`Sent to ${sourceId}\n`);
  expect((await x(...event)).out).toContain("A duplicate");
  expect((await x(...event, "--force")).out).toBe(`Sent to ${sourceId}\n`);
  expect((await x("apps", "event", "acme", "order.lost", "--data", "1")).out).toBe("No source listens to it\n");
  const other = await x("apps", "event", "acme", "order.paid", "--data", "1", "--account", "org=8");
  expect(other.out).toBe("No source listens to it\n");
  await service.runtime.idle();
  const { items } = await service.runtime.storedExecutions(sourceId, { limit: 10 });
  expect(items).toHaveLength(2);
  const shown = await x("runs", "show", items[0]?.id ?? "");
  expect(shown.out).toMatch(/ run by app {2}ok\n[^]*\n {2}event e-1 of acme: order\.paid\n/);
});

test.each([
  [["apps", "event", "acme", "a"], "x apps event needs --data JSON"],
  [["apps", "event", "acme", "a", "--data", "{"], "--data is not JSON"],
  [["apps", "event", "acme", "a", "--data", "@none.json"], "none.json cannot be read"],
  [["apps", "event", "acme", "a", "--data", "1", "--account", "org"], "--account is FIELD=VALUE"],
])("A18 %j is refused", async (args, problem) => {
  const { code, err } = await x(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
});
