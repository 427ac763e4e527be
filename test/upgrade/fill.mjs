// Fills a running service by its REST interface, and writes what it answers: node fill.mjs LOG EXPECTED
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const [, , log, expected] = process.argv;

/** Asks until there is an answer. */
async function until(find) {
  for (;;) {
    const found = await find();
    if (found) return found;
    await setTimeout(50);
  }
}

const base = await until(() => /https?:\/\/[^"\s]+\/v1/.exec(existsSync(log) ? readFileSync(log, "utf8") : "")?.[0]);
const headers = { authorization: "Bearer upgrade-fixture-key", "content-type": "application/json" };

/** The answer; undefined when this release does not have the route. */
async function ask(method, path, body) {
  const response = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (response.status === 404 || response.status === 405) return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

const counter = `export default {
  name: "Counter", version: "0.1.0", dedupe: "unique",
  props: {
    http: "$.interface.http", db: "$.service.db",
    token: { type: "string", secret: true },
    timer: { type: "$.interface.timer", default: { cron: "0 0 1 1 *" } },
  },
  run({ body }) {
    if (body.fail) throw new Error("as asked");
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    console.log("counted", n, "\u{1F600}");
    this.$emit({ n, text: body.text }, { id: body.id, summary: "number " + n });
  },
};`;
const listener = `export default {
  name: "Listener", version: "0.1.0", props: { db: "$.service.db", http: "$.interface.http" },
  run(event) { this.db.set("last", event); this.$emit({ heard: event }); },
};`;

const { data: source } = await ask("POST", "/sources", {
  component_code: counter,
  configured_props: { token: "s3cret-of-a-prop" },
});
const { data: other } = await ask("POST", "/sources", { component_code: listener });
await ask("POST", "/accounts", { app: "acme", name: "Work", auth: { api_key: "credentials-of-acme" } });
// Nobody listens there: its deliveries wait.
const webhook = await ask("POST", "/webhooks?url=http%3A%2F%2F127.0.0.1%3A9%2Fhook&name=archive");
for (const to of [other.id, webhook?.data.id].filter(Boolean))
  await ask("POST", `/subscriptions?emitter_id=${source.id}&listener_id=${to}`);
await ask("POST", "/users", { username: "ada" });

const endpoint = source.configured_props.http.endpoint_url;
const send = (body) =>
  fetch(endpoint, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
for (let id = 1; id <= 5; id += 1) await send({ id, text: "\u{1F600} ".repeat(id === 5 ? 600 : 1) });
await send({ id: 5, text: "a second one" });
await send({ fail: true });

const summaries = async (id) => (await ask("GET", `/sources/${id}/event_summaries?expand=event&limit=100`))?.data ?? [];
await until(async () => (await summaries(source.id)).length >= 5);
await until(async () => (await ask("GET", "/users/me"))?.data.daily_invocations_used >= (webhook ? 12 : 7));

const lists = [
  "/users/me",
  "/users/me/sources",
  "/users/me/webhooks",
  "/users/me/subscriptions",
  "/users/me/accounts",
  "/users",
];
const answers = {};
for (const path of [
  ...lists,
  ...[source, other].map(({ id }) => `/sources/${id}/event_summaries?expand=event&limit=100`),
]) {
  const answer = await ask("GET", path);
  if (answer) answers[path] = answer.data;
}
writeFileSync(
  expected,
  `${JSON.stringify({ source: source.id, endpoint: new URL(endpoint).pathname, answers }, null, 2)}\n`,
);
