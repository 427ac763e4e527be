import type { Service } from "../conformance/fixture.ts";

/** Components with every kind of prop and hook; random text is almost never code. */
export const codes: readonly string[] = [
  `export default { name: "Plain", key: "plain", version: "1", run(event) { this.$emit(event) } };`,
  `export default { name: "All", key: "all", version: "1.0.0", dedupe: "unique",
    props: { db: "$.service.db", http: { type: "$.interface.http", customResponse: true }, timer: "$.interface.timer",
      text: { type: "string", optional: true, label: "Text" }, count: { type: "integer", optional: true, min: 1, max: 9 },
      list: { type: "string[]", optional: true }, flag: { type: "boolean", default: true }, any: { type: "any", optional: true },
      choice: { type: "string", optional: true, options: ["a", "b"] },
      asked: { type: "string", optional: true, async options({ page, query, prevContext }) {
        return { options: [String(page), { label: "l", value: query }], context: prevContext } } } },
    async run(event) { this.db.set("n", event ?? null); console.log("ran", event);
      this.$emit({ event }, { id: String(event?.id ?? 1), summary: "s", ts: 5 }); this.$emit(1, { name: "side" });
      if (event && event.fail) throw new TypeError("fails"); this.http.respond({ status: 202, body: "ok" }) } };`,
  `export default { name: "Adding", key: "adding", version: "2", props: { a: { type: "string", reloadProps: true, optional: true } },
    additionalProps() { if (this.a === "throw") throw new Error("no"); return { b: { type: "integer", optional: true } } }, run() {} };`,
  `export default { name: "Hooked", version: "1", hooks: { deploy() { this.$emit("deployed") }, activate() {}, deactivate() {} }, run() {} };`,
  `export default { name: "Refusing", version: "1", hooks: { deactivate() { throw new Error("stays") } }, run() {} };`,
  `export default { name: "Broken", version: "1", hooks: { deploy() { throw new Error("never") } }, run() {} };`,
  `export default { name: "App", version: "1", props: { acme: { type: "app", app: "acme" } }, run() { this.$emit(Object.keys(this.acme.$auth)) } };`,
  `import { other } from "./other.js"; export default { name: "Files", version: "1", run() { other() } };`,
  `module.exports = { name: "Old", version: "1", run() {} };`,
  `export default { name: 5, props: { x: "none" } };`,
  `export default {`,
  `throw new Error("at once")`,
];

/** Values of props by their names in these components. */
export const propNames = [
  "db",
  "http",
  "timer",
  "text",
  "count",
  "list",
  "flag",
  "any",
  "choice",
  "asked",
  "a",
  "b",
  "acme",
];

/** What exists before the first request of an input. */
export async function prepare(service: Service): Promise<void> {
  const source = await service.deploy(codes[1] ?? "", { timer: { intervalSeconds: 60 } });
  const workflow = await service.runtime.workflow({
    code: `export default { name: "Steps", trigger: { type: "http" }, steps: [{ name: "one", run({ steps, $ }) { $.send.emit(steps.trigger.event) } }] }`,
  });
  const expect = async (method: string, path: string, body: object): Promise<void> => {
    const { status } = await service.call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
  };
  await expect("POST", "/accounts", { app: "acme", name: "Work", auth: { key: "k" } });
  await expect("POST", "/webhooks", { url: "https://hook.invalid/", name: "Archive" });
  await expect("PUT", "/apps/keyed", { fields: [{ name: "key" }] });
  await expect("PUT", "/projects/shop", { revision: 0, resources: [] });
  const { body } = await service.call<{ data: { id: string }[] }>("GET", "/users/me/webhooks");
  await expect("POST", "/subscriptions", { emitter_id: source.id, listener_id: body.data[0]?.id, event_name: "" });
  await expect("POST", "/subscriptions", { emitter_id: source.id, listener_id: workflow.id });
  await service.run(source.id, { id: 7, fail: true });
  await service.runtime.idle();
}

/** Read at first, so that later requests can name what there is. */
export const firstReads: readonly string[] = [
  "/users/me",
  "/users/me/sources",
  "/users/me/workflows",
  "/users/me/webhooks",
  "/users/me/accounts",
  "/users/me/apps",
  "/users/me/projects",
  "/executions",
];
