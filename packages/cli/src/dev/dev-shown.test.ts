import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { serveLoopback } from "../loopback.cases.ts";
import { runHere, startHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

beforeAll(() => void vi.stubEnv("FORCE_COLOR", "0"));
afterAll(() => void vi.unstubAllEnvs());

/** A service that components ask. */
const openUpstream = (): ReturnType<typeof serveLoopback> =>
  serveLoopback((_request, response) => void response.writeHead(201).end("{}"));

const acme = `{ type: "app", app: "acme" }`;

test("requests, drops, the next tick, and logs before the error that followed them are shown", async () => {
  const code = `export default { name: "poll", version: "1", dedupe: "unique",
  props: { http: "$.interface.http", timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } } },
  async run({ path }) {
    if (path === "/fail") { console.log("almost there"); throw new Error("not quite"); }
    await fetch("http://acme.test/orders?page=1");
    this.$emit({ order: 1 }, { id: "o1", summary: "Order 1" });
  } };`;
  await using folder = await makeFolder({ "poll.js": code });
  await using upstream = await openUpstream();
  await using x = startHere(["dev", "poll.js", "--port", "0", "--upstream", upstream.url], { cwd: folder.path });
  await x.printed(/^ {4}next tick \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
  const [, endpoint = ""] = await x.printed(/(http:\S+\/in\/\w+)$/m);
  await fetch(endpoint);
  await x.printed(/poll +http {2}GET http:\/\/acme\.test\/orders\?page=1 -> 201$/m);
  await x.printed(/poll +Order 1 {2}\{"order":1\}$/m);
  expect((await fetch(endpoint)).status).toBe(200);
  await x.printed(/poll +drop {2}Order 1 {2}\{"order":1\} {2}\(.*o1.*\)$/m);
  await fetch(`${endpoint}/fail`);
  // The answer to the request is printed when it is sent, which may be between the two.
  await x.printed(/almost there\n(?:.*GET \/fail {2}200.*\n)?.*! Error: not quite\n {4}at run \(poll\.js:4:\d+\)/);
});

test("a failed hook is printed with its requests and the missing account", async () => {
  const code = `export default { name: "hooked", version: "1", props: { acme: ${acme} },
  hooks: { async deploy() { await fetch("http://acme.test/hooks"); console.log("asked"); this.acme.$auth.token.trim(); } },
  run() {} };`;
  await using folder = await makeFolder({ "hooked.js": code });
  await using upstream = await openUpstream();
  await using x = startHere(["dev", "hooked.js", "--port", "0", "--upstream", upstream.url], { cwd: folder.path });
  await x.printed(/http {2}GET http:\/\/acme\.test\/hooks -> 201$/m);
  const [text] = await x.printed(/hooked\.js does not work[^]*has no account.*$/m);
  expect(text).toContain("asked");
  expect(text).toContain('error[hook_failed, component_threw]: Hook "deploy" failed');
  expect(text).toContain('Prop "acme" has no account, so its $auth is empty: --accounts FILE');
});

test("the accounts file is read when it is created and when it changes; its errors are reported", async () => {
  const uses = `export default { name: "uses", version: "1", props: { acme: ${acme} },
  run() { this.$emit({ got: this.acme.$auth.token ?? null }); } };`;
  await using folder = await makeFolder({ "uses.js": uses });
  const save = (text: string): void => writeFileSync(join(folder.path, "accounts.json"), text);
  const args = ["dev", "uses.js", "--run", "--port", "0", "--accounts", "accounts.json"];
  await using x = startHere(args, { cwd: folder.path });
  await x.printed(/\{"got":null\}/);
  expect(x.err()).toContain("There is no file accounts.json yet");
  save('{"acme": {"token": "first"}}');
  await x.printed(/uses\.js updated {2}\(accounts\.json\)/);
  await x.printed(/\{"got":"first"\}/);
  save('{"acme": {"token": "second"}}');
  await x.printed(/\{"got":"second"\}/);
  save('{"acme": "third"}');
  await x.printed(/accounts\.json is other JSON/);
  save('{"acme": {"token": "fourth"}, "acne": {}}');
  await x.printed(/--accounts has "acne", but the components here have the apps acme/);
  await x.printed(/\{"got":"fourth"\}/);
});

test("A18 the endpoint of an app is shown, --event is checked by its name, and an event of the app is printed", async () => {
  const code = `const app = { type: "app", app: "acme" };
  export default { name: "listen", version: "1", props: { app, hook: { type: "$.interface.apphook", appProp: "app", static: ["a", "b"] } },
  run(event) { this.$emit(event); } };`;
  await using folder = await makeFolder({ "listen.js": code, "accounts.json": '{"acme": {"token": "t"}}' });
  const args = ["dev", "listen.js", "--port", "0", "--accounts", "accounts.json"];
  const wrong = await runHere([...args, "--app-event", "c", "--event", "{}"], { cwd: folder.path });
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("does not listen to c; its events are a, b")]);
  await using x = startHere([...args, "--run", "--app-event", "a", "--event", '{"n":1}'], { cwd: folder.path });
  await x.printed(/^ {4}a, b of acme: no endpoint yet, x apps endpoint acme makes one; x apps event acme sends one$/m);
  await x.printed(/listen +\{"n":1\}/);
  const [, url = ""] = await x.printed(/Base URL {2}(\S+)$/m);
  const [, key = ""] = await x.printed(/API key {3}(\S+)$/m);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ events: [{ names: ["b"], data: { n: 2 } }] });
  await fetch(`${url}/apps/acme/events`, { method: "POST", headers, body });
  await x.printed(/listen +\{"n":2\}/);
});
