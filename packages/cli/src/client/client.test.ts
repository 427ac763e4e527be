import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere, startHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder, spawnX } from "../spawned.cases.ts";

const inbox = `export default {
  name: "Inbox", version: "1", dedupe: "unique",
  props: { http: "$.interface.http", db: "$.service.db", who: { type: "string", optional: true } },
  run({ body }) {
    console.log("got", body.n);
    if (body.n === 3) throw new TypeError("three");
    this.db.set("last", body.n);
    this.$emit({ n: body.n, who: this.who }, { id: body.n, summary: "Number " + body.n });
  },
};`;
const files = {
  "inbox.mjs": inbox,
  "imports.mjs": `import { a } from "./a.mjs";\nexport default { name: "imports", version: "1", run() { this.$emit(a); } };`,
  "acme.json": '{"api_key":"s3cret-of-acme"}',
};

type Folder = Awaited<ReturnType<typeof makeFolder>>;
let folder: Folder;
let service: Awaited<ReturnType<typeof startServiceHere>>;
let env: Record<string, string>;
let endpoint = "";

const commandLine = (command: string, ...args: readonly string[]): string[] => [
  command,
  "--to",
  env["X_URL"] ?? "",
  "--api-key",
  env["X_API_KEY"] ?? "",
  ...args,
];
const x = (command: string, ...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere(commandLine(command, ...args), { cwd: folder.path });

/** What a command that succeeds says as JSON. */
async function json<Told>(command: string, ...args: readonly string[]): Promise<Told> {
  const { code, out, err } = await x(command, ...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as Told;
}

async function post(n: number): Promise<void> {
  const headers = { "content-type": "application/json" };
  expect((await fetch(endpoint, { method: "POST", headers, body: JSON.stringify({ n }) })).status).toBe(200);
}

beforeAll(async () => {
  folder = await makeFolder(files);
  service = await startServiceHere(folder.path, { apiKey: "k" });
  env = { X_URL: service.baseUrl, X_API_KEY: "k" };
  const source = await json<{ configured_props: { http: { endpoint_url: string } } }>(
    "sources",
    "deploy",
    "inbox.mjs",
    "--name",
    "My inbox",
    "--props",
    "who=me",
  );
  endpoint = source.configured_props.http.endpoint_url;
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("S36 --webhook-url makes a webhook for what the source emits, and shows its key once", async () => {
  const url = "http://127.0.0.1:9/hook";
  const { out } = await x("sources", "deploy", "inbox.mjs", "--name", "hooked", "--webhook-url", url);
  expect(out).toMatch(/^ {2}webhook +wh_\w+ http:\/\/127\.0\.0\.1:9\/hook$/m);
  expect(out).toMatch(/^ {2}signing key +whsec_\S+ \(shown once\)$/m);
  const again = await x("sources", "deploy", "inbox.mjs", "--name", "hooked too", "--webhook-url", url);
  expect(again.out).not.toContain("whsec_");
  const refused = await x("sources", "deploy", "inbox.mjs", "--webhook-url", "nowhere");
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("webhook_url");
  for (const name of ["hooked", "hooked-too"]) await x("sources", "rm", name);
  await x("webhooks", "rm", url);
});

test("events are followed without a hole, errors and logs are shown, what is stored is read and written", async () => {
  await post(1);
  await using following = spawnX(["events", "my-inbox", "--follow", "--json"], { cwd: folder.path, env });
  await following.printed(/"n":1/);
  await post(2);
  await following.printed(/"n":2/);
  const told = following.out().trimEnd().split("\n");
  expect(told.map((line) => (JSON.parse(line) as { event: object }).event)).toEqual([
    { n: 1, who: "me" },
    { n: 2, who: "me" },
  ]);
  following.child.kill("SIGTERM");
  expect([await following.exit, following.err()]).toEqual([0, ""]);

  // Requests are answered before they run; the error is there once it is followed.
  await post(3);
  const errors = startHere(commandLine("events", "My inbox", "--stream", "$errors", "--follow"));
  await errors.printed(/^\S+ \S+ {2}! run {2}TypeError: three\n {4}at run \(inbox\.mjs:6:/m);
  errors.hear("SIGINT");
  expect(await errors.exit).toBe(0);

  const logs = await x("logs", "my-inbox", "--limit", "4");
  expect(logs.code).toBe(0);
  expect(logs.out).toMatch(/log {4}got 1\n.*log {4}got 2\n.*log {4}got 3\n.*error {2}TypeError: three\n/);

  const all = await x("logs", "--level", "error");
  expect(all.out).toMatch(/^\S+ \S+ {2}my-inbox {2}error {2}TypeError: three\n/);
  expect((await x("logs", "--search", "GOT 2", "--limit", "1")).out).toMatch(/ {2}my-inbox {2}log {4}got 2\n$/);
  expect((await x("logs", "my-inbox", "--search", "nothing")).err).toBe("(none)\n");
  expect((await x("logs", "--limit", "101")).err).toContain("--limit is at most 100");
  const tail = startHere(commandLine("logs", "--follow", "--limit", "1", "--search", "got"));
  await tail.printed(/ {2}my-inbox {2}log {4}got 3\n/);
  await post(4);
  await tail.printed(/got 3\n\S+ \S+ {2}my-inbox {2}log {4}got 4\n/);
  tail.hear("SIGINT");
  expect(await tail.exit).toBe(0);

  expect((await x("db", "set", "my-inbox", "a/b", '{"c":1}')).out).toBe('a/b = {"c":1}\n');
  expect(await json("db", "ls", "my-inbox")).toMatchObject([
    { key: "a/b", value: { c: 1 } },
    { key: "last", value: 4 },
  ]);
});

test("a webhook is subscribed to a source by their names; its deliveries are listed, and one is sent again", async () => {
  const arrivals = new EventEmitter();
  const receiver = createServer((request, response) => {
    response.end();
    arrivals.emit("request", request.headers["webhook-id"]);
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

  const webhook = await json<{ id: string; signing_key: string }>("webhooks", "add", url, "--name", "archive");
  const subscription = await json("subscriptions", "add", "my-inbox", "archive");
  expect(subscription).toMatchObject({ listener_id: webhook.id, event_name: "" });
  expect((await x("subscriptions", "ls")).out).toMatch(/^my-inbox \(dc_\w+\) {2}-> {2}archive \(wh_\w+\)\n$/);
  expect((await x("webhooks", "ls")).out).toBe(`${webhook.id}  active  ${url}  archive\n`);

  const first = once(arrivals, "request");
  await post(5);
  const sent = await first;
  const [delivery] = await json<{ id: string; status: string; attempts: unknown[] }[]>("webhooks", "deliveries", url);
  // Until the attempt that has arrived is stored, it would be taken for the next one.
  await expect.poll(() => json("webhooks", "deliveries", "archive", "--status", "delivered")).toHaveLength(1);
  expect(sent).toEqual([expect.stringMatching(/^msg_/)]);
  expect(await json("webhooks", "deliveries", "archive", "--status", "dead")).toEqual([]);
  expect(await x("webhooks", "deliveries", "archive", "--status", "failed")).toMatchObject({
    code: 2,
    err: expect.stringContaining("pending or delivered or dead") as string,
  });
  const second = once(arrivals, "request");
  const again = await x("webhooks", "redeliver", "archive", delivery?.id ?? "");
  expect([again.code, again.out]).toEqual([0, expect.stringContaining(`${delivery?.id}  delivered  2 attempts`)]);
  expect(await second).toEqual(sent);

  const many = (...more: readonly string[]) => json("webhooks", "redeliver", "archive", ...more);
  expect(await many()).toEqual({ id: webhook.id, count: 0 });
  expect(await many("--status", "delivered", "--period", "2001-01-01..2001-01-02")).toEqual({
    id: webhook.id,
    count: 0,
  });
  const third = once(arrivals, "request");
  const all = await x(
    "webhooks",
    "redeliver",
    "archive",
    "--status",
    "delivered",
    "--period",
    "2001-01-01..2999-01-01",
  );
  expect([all.code, all.out]).toEqual([
    0,
    "1 delivered delivery is sent again\nThose still to be sent: x webhooks deliveries archive --status pending\n",
  ]);
  expect(await third).toEqual(sent);
  for (const wrong of [
    ["--status", "pending"],
    ["--period", "today"],
    ["--limit", "1"],
  ])
    expect((await x("webhooks", "redeliver", "archive", ...wrong)).code).toBe(2);

  const rotated = await json<{ signing_key: string }>("webhooks", "rotate-key", "archive");
  expect(rotated.signing_key).toMatch(/^whsec_/);
  expect(rotated.signing_key).not.toBe(webhook.signing_key);
  expect((await x("subscriptions", "rm", "my-inbox", "archive")).out).toMatch(/^Deleted dc_\w+ -> wh_\w+\n$/);
  const gone = await x("subscriptions", "rm", "my-inbox", "archive", "--json");
  expect([gone.code, JSON.parse(gone.out)]).toMatchObject([2, { error: { code: "not_found" } }]);
  expect((await x("webhooks", "rm", "archive")).out).toBe(`Deleted ${webhook.id}\n`);
  receiver.close();
});

test("a source is paused by its name and listed so", async () => {
  expect(await json("sources", "pause", "my-inbox")).toMatchObject({ active: false });
  expect((await x("sources", "ls", "--search", "INBOX")).out).toContain("my-inbox");
  expect((await x("sources", "ls", "--search", "nothing")).err).toBe("(none)\n");
  const { code, out } = await x("sources", "ls");
  expect([code, out]).toEqual([0, expect.stringMatching(/^my-inbox {2}dc_\w+ {2}paused {2}http:\S+\n$/)]);
});

test("credentials come from a file, and are not shown", async () => {
  const added = await x("accounts", "add", "acme", "--name", "work", "--auth-file", "acme.json");
  expect([added.code, added.err]).toEqual([0, ""]);
  expect(added.out).toMatch(/^Account (apn_\w+) of acme\nUse it: x deploy FILE --account acme=\1\n$/);
  expect(added.out).not.toContain("s3cret");
});

test("an import that does not exist is refused here, before anything is sent", async () => {
  const { code, err } = await x("sources", "deploy", "imports.mjs");
  expect(code).toBe(1);
  expect(err).toContain('imports.mjs:1:19: "./a.mjs" does not exist');
});

test("an unknown name is reported with the nearest one, as JSON too", async () => {
  const { code, out, err } = await x("sources", "rm", "my-inbx", "--json");
  expect([code, err, JSON.parse(out)]).toMatchObject([
    2,
    "",
    {
      error: { code: "not_found", message: expect.stringContaining('did you mean "my-inbox"?') as string },
      exit_code: 2,
    },
  ]);
});

const asking = [
  ["nodes"],
  ["sources", "ls"],
  ["events", "inbox"],
  ["logs", "inbox"],
  ["runs", "ls"],
  ["db", "ls", "inbox"],
  ["data-stores", "ls"],
  ["webhooks", "ls"],
  ["subscriptions", "ls"],
  ["accounts", "ls"],
  ["apps", "ls"],
  ["inspector", "link"],
  ["users", "list"],
  ["deploy", "inbox.mjs"],
];

test.each(asking)("x %s takes the service from --to, and from --url as before", async (...words) => {
  for (const flag of ["--to", "--url"]) {
    const { code, out, err } = await runHere([...words, flag, "http://127.0.0.1:1", "--api-key", "k"], {
      cwd: folder.path,
    });
    expect([code, out]).toEqual([4, ""]);
    expect(err).toContain("error: no service answers at http://127.0.0.1:1 (");
  }
});

test("where no service answers one line says so and how to start one, exit 4", async () => {
  const { code, out, err } = await x("sources", "ls", "--to", "http://127.0.0.1:1");
  expect([code, out]).toEqual([4, ""]);
  expect(err).toMatch(
    /^error: no service answers at http:\/\/127\.0\.0\.1:1 \([^\n]*\); start one with x serve [^\n]*\n$/,
  );
});
