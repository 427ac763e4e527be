import { writeFile } from "node:fs/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder, runX } from "../spawned.cases.ts";
import type { DeployedSource } from "./deploy.ts";

const orders = (version: string): string => `import { total } from "./lib/total.js";
import acme from "./acme.app.mjs";
export default {
  name: "Orders", version: "${version}",
  props: {
    acme, http: "$.interface.http", db: "$.service.db",
    currency: { type: "string" }, token: { type: "string", secret: true, optional: true },
  },
  run(this: any, event: { body?: { items: number[] } }) {
    this.db.set("seen", (this.db.get("seen") ?? 0) + 1);
    this.$emit({ total: total(event.body?.items ?? []), currency: this.currency, key: this.acme.$auth.key,
      token: this.token ?? null, seen: this.db.get("seen"), env: typeof process === "object" ? process.env.ACME_TOKEN ?? null : null });
  },
};`;
const days = `export default { name: "Days", version: "1", run() {},
  props: { timer: { type: "$.interface.timer", default: { cron: "0 0 13 * 5" } } } };`;

const files = {
  "package.json": '{"name":"shop","type":"module"}',
  "orders.ts": orders("1"),
  "lib/total.ts": "export const total = (items: number[]): number => items.reduce((sum, each) => sum + each, 0);",
  "acme.app.mjs": 'export default { type: "app", app: "acme" };',
  "orders.json": '{"currency":"EUR","token":"${ACME_TOKEN}"}',
  "prod.env": "ACME_TOKEN=from-the-env-file\nX_API_KEY=not-this-one\n",
  "acme.json": '{"key":"k-1"}',
  "days.js": days,
  "many/one.js": 'export default { name: "One", version: "1", run() {} };',
  "many/two.mjs": 'export default { name: "Two", version: "1", run() {} };',
  "many/two.test.js": 'export default { name: "Test", version: "1", run() {} };',
  "many/flow.js": 'export default { name: "Flow", trigger: {}, steps: [] };',
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
let at: string[];
const x = (...args: readonly string[]): ReturnType<typeof runHere> => runHere(args, { cwd: folder.path });
const json = async <Told>(...args: readonly string[]): Promise<Told> => {
  const { code, out, err } = await x(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as Told;
};
const emitted = async (id: string): Promise<unknown[]> =>
  (await service.runtime.storedEvents(id, "emits", { limit: 10 })).items
    .map(({ payload }): unknown => JSON.parse(payload))
    .toReversed();

beforeAll(async () => {
  folder = await makeFolder(files);
  service = await startServiceHere(folder.path, { apiKey: "k" });
  at = ["--api-key", "k"];
  await x("accounts", "add", "acme", "--name", "work", "--auth-file", "acme.json", "--url", service.baseUrl, ...at);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("x deploy sends several files, and a second deploy updates the source in place", async () => {
  const to = ["--to", service.baseUrl, ...at];
  const missing = await x("deploy", "orders.ts", ...to);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("Set props with --props NAME=VALUE.")]);
  expect(missing.err).toContain(
    `  --props currency  Prop "currency" is missing; expected a string
  --account acme=NAME  Prop "acme" needs an account of app "acme"; x accounts add acme adds one\n`,
  );
  const onlyAccount = await x("deploy", "orders.ts", "--props", "currency=EUR", ...to);
  expect(onlyAccount.err).toContain(`are not valid:\n  --account acme=NAME  Prop "acme" needs an account`);
  expect(onlyAccount.err).not.toMatch(/authProvisionId|--props/);
  const wrong = await x("deploy", "orders.ts", "--props", "currency=EUR", "acme=work", ...to);
  expect(wrong.err).toContain(`--account acme=NAME  Prop "acme" needs an account of app "acme"`);

  const given = ["--props", "@orders.json", "--account", "acme=work", "--env-file", "prod.env"];
  const first = await json<DeployedSource>("deploy", "orders.ts", ...given, ...to);
  expect(process.env["ACME_TOKEN"]).toBeUndefined();
  expect([first.change, first.name_slug]).toEqual(["created", "orders"]);
  await service.runtime.invoke(first.id, { event: { body: { items: [1, 2] } } });

  const again = await x("deploy", "orders.ts", ...to);
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^Unchanged: orders {2}dc_/)]);
  await writeFile(`${folder.path}/orders.ts`, orders("2"));
  const updated = await json<DeployedSource>("deploy", "orders.ts", "--props", "currency=USD", ...to);
  expect([updated.change, updated.id]).toEqual(["updated", first.id]);
  expect(updated.configured_props["http"]).toEqual(first.configured_props["http"]);
  await service.runtime.invoke(first.id, { event: {} });
  const common = { key: "k-1", token: "from-the-env-file", env: null };
  expect(await emitted(first.id)).toEqual([
    { total: 3, currency: "EUR", seen: 1, ...common },
    { total: 0, currency: "USD", seen: 2, ...common },
  ]);
  expect((await service.runtime.sources({ limit: 100 })).totalCount).toBe(1);
});

test("x sources changes code, name and values of a source, and runs it", async () => {
  const to = ["--url", service.baseUrl, ...at];
  const { id } = await json<DeployedSource>("sources", "deploy", "many/one.js", "--name", "Own name", ...to);
  expect(
    (await x("sources", "update", "own-name", "orders.ts", "currency=CHF", "--account", "acme=work", ...to)).code,
  ).toBe(0);
  const shown = await x("sources", "props", "own-name", ...to);
  expect(shown.out).toMatch(/^currency {2}"CHF"$/m);
  const changed = await json<{ currency: string }>("sources", "props", "own-name", "currency=GBP", "token=t", ...to);
  expect(changed).toMatchObject({ currency: "GBP", token: { __secret: true } });
  expect(await json("sources", "props", "own-name", "token=null", ...to)).not.toHaveProperty("token");
  expect((await json<DeployedSource>("sources", "update", "own-name", "--name", "Renamed", ...to)).id).toBe(id);
  const ran = await x("sources", "run", "renamed", "--event", '{"body":{"items":[5]}}', ...to);
  expect([ran.code, ran.out]).toEqual([
    0,
    expect.stringMatching(/^\w{27} {2}ok {2}1 emitted {2}\d+ ms\nSee x runs show/),
  ]);
  const nothing = await x("sources", "update", "renamed", ...to);
  expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining("What is to change")]);
  await x("sources", "rm", "renamed", ...to);
});

test("x deploy takes the components of a folder, and refuses what cannot be meant", async () => {
  const to = ["--to", service.baseUrl, ...at];
  const { code, out, err } = await x("deploy", "many", ...to);
  expect([code, out.match(/^Created \S+/gm)]).toEqual([0, ["Created one", "Created two"]]);
  expect(err).toBe("many/flow.js  skipped: a workflow is registered by x serve --workflow many/flow.js\n");
  const refusals = [
    [["many", "--props", "a=b"], "--props is for one FILE"],
    [["orders.ts", "--account", "acme"], "--account needs APP=ID"],
    [["orders.ts", "--account", "acme=wrok"], 'did you mean "work"?'],
    [["orders.ts", "--account", "acne=work"], "the apps are acme"],
    [["orders.ts", "--props", "token=${NO_SUCH_VARIABLE}"], "no variable of the environment has that name"],
    [["orders.ts", "--props", "@none.json"], "--props @none.json cannot be read"],
    [["orders.ts", "--env-file", "none.env"], "The env file none.env cannot be read"],
  ] as const;
  for (const [args, why] of refusals) {
    const refused = await x("deploy", ...args, ...to);
    expect([refused.code, refused.err], args.join(" ")).toEqual([2, expect.stringContaining(why)]);
  }
});

test("x deploy reads .env of the working folder, and the environment has priority", async () => {
  await using project = await makeFolder({
    "a.js":
      'export default { name: "Env", version: "1", props: { who: { type: "string" }, to: { type: "string" } }, run() {} };',
    ".env": `X_URL=${service.baseUrl}\nX_API_KEY=k\nWHO=file\nTO=file\n`,
  });
  const props = ["--props", "who=${WHO}", "to=${TO} $${TO}"];
  const { code, out } = await runX(["deploy", "a.js", ...props, "--json"], { cwd: project.path, env: { TO: "shell" } });
  expect([code, (JSON.parse(out) as DeployedSource).configured_props]).toEqual([0, { who: "file", to: "shell ${TO}" }]);
});

test("S60 texts of --props mean what the types of the props say, also for a source and a comparison", async () => {
  const there = ["--url", service.baseUrl, ...at];
  await writeFile(
    `${folder.path}/typed.js`,
    `export default { name: "Typed", version: "1", run() {}, props: { projectId: { type: "string" },
      ids: { type: "string[]", optional: true }, on: { type: "boolean", optional: true }, more: { type: "object", optional: true } } };`,
  );
  const { id, configured_props: first } = await json<DeployedSource>(
    "deploy",
    "typed.js",
    "--props",
    "projectId=12345",
    "ids=1,2",
    "on=yes",
    ...there,
  );
  expect(first).toEqual({ projectId: "12345", ids: ["1", "2"], on: true });
  const props = ["--props", "ids=3", "--props", "ids=4", "on=off", 'more:={"a":[1]}'];
  expect((await x("diff", "typed.js", ...props, ...there)).out).toMatch(/ids[^]*on[^]*more|more/);
  await x("sources", "update", id, ...props, ...there);
  const { configured_props: second } = await json<DeployedSource>("sources", "show", id, ...there);
  expect(second).toMatchObject({ projectId: "12345", ids: ["3", "4"], on: false, more: { a: [1] } });
  const wrong = await x("sources", "props", id, "on=maybe", ...there);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining(`Prop "on" must be true or false, got "maybe"`)]);
});

test("G56 events of the deploy hook are kept unless --emit-on-deploy is off, or the config says so", async () => {
  const code = (name: string): string =>
    `export default { name: "${name}", version: "1", hooks: { deploy() { this.$emit("from the hook"); } }, run() {} };`;
  const sources = Object.fromEntries(
    ([undefined, true, false] as const).map((emitOnDeploy) => [
      `config-${emitOnDeploy}`,
      { file: "./hook.js", ...(emitOnDeploy !== undefined && { emitOnDeploy }) },
    ]),
  );
  await writeFile(`${folder.path}/hook.js`, code("Hook"));
  await writeFile(`${folder.path}/hook.config.json`, JSON.stringify({ project: "hooks", sources }));
  const to = ["--to", service.baseUrl, ...at];
  const deployed = async (name: string, ...words: readonly string[]): Promise<unknown[]> => {
    const { id } = await json<DeployedSource>(...words, "hook.js", "--name", name, ...to);
    return emitted(id);
  };
  expect(await deployed("kept", "deploy")).toEqual(["from the hook"]);
  expect(await deployed("on", "deploy", "--emit-on-deploy", "on")).toEqual(["from the hook"]);
  expect(await deployed("off", "deploy", "--emit-on-deploy", "off")).toEqual([]);
  expect(await deployed("false", "sources", "deploy", "--emit-on-deploy", "false")).toEqual([]);
  const wrong = await x("deploy", "hook.js", "--emit-on-deploy", "maybe", ...to);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--emit-on-deploy must be on or off")]);
  const elsewhere = await x("sources", "update", "kept", "hook.js", "--emit-on-deploy", "off", ...to);
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining("x sources deploy")]);

  expect(await x("apply", "--config", "hook.config.json", "--yes", ...to)).toMatchObject({ code: 0 });
  const ofConfig = async (name: string): Promise<unknown[]> =>
    emitted((await json<DeployedSource>("sources", "show", name, ...to)).id);
  expect(await ofConfig("config-undefined")).toEqual(["from the hook"]);
  expect(await ofConfig("config-true")).toEqual(["from the hook"]);
  expect(await ofConfig("config-false")).toEqual([]);
});

test("S45 warnings are shown, with the next ticks of a schedule", async () => {
  const { code, out } = await x("deploy", "days.js", "--to", service.baseUrl, ...at);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^ {2}warning +"0 0 13 \* 5" ticks only .*, next (?:\d{4}-\d\d-13 00:00(?:, )?){3} \(UTC\): .* \(cron-day-and-weekday\)$/m,
  );
});
