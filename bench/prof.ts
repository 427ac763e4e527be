import { createRuntime, type EndpointRequest } from "@x/runtime";
const component = `export default { name: "Bench", version: "1", dedupe: "unique", props: { db: "$.service.db", http: "$.interface.http" },
  run(event) { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit({ n, body: event.body }, { id: n, summary: "event " + n }); } };`;
const request: EndpointRequest = { method: "POST", path: "/", url: "http://127.0.0.1/", search: "", headers: [["content-type", "application/json"]], body: new TextEncoder().encode(JSON.stringify({ title: "An order", lines: Array.from({ length: 8 }, (_, id) => ({ id, sku: "sku-" + id })) })), clientIp: "127.0.0.1" };
await using rt = await createRuntime();
const keys: string[] = [];
for (let i = 0; i < 32; i++) keys.push((await rt.deploy({ code: component, name: "b" + i })).source.endpoints["http"]!);
for (let r = 0; r < 3; r++) { const t = performance.now(); const c0 = process.cpuUsage(); const th0 = process.threadCpuUsage(); let n = 0;
await Promise.all(keys.map(async (k) => { for (let i = 0; i < 60; i++) { await rt.request(k, request); n++; } })); await rt.idle();
const c = process.cpuUsage(c0), th = process.threadCpuUsage(th0); console.log(n, "runs", ((performance.now() - t) / n * 1000).toFixed(0), "us wall; cpu", ((c.user + c.system) / n).toFixed(0), "main", ((th.user + th.system) / n).toFixed(0)); }
