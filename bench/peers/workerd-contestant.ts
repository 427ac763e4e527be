import { readdirSync, readFileSync } from "node:fs";

import { type Contestant, type Live, loadPeer, type Opened } from "./contestant.ts";
import { type HostSide, plainText } from "./workload.ts";

interface Fetcher {
  fetch(url: string, init: object): Promise<{ text(): Promise<string> }>;
}
interface MiniflareLike {
  readonly ready: Promise<URL>;
  getWorker(name: string): Promise<Fetcher>;
  dispose(): Promise<void>;
}

/** A worker reaches its host by a service binding, so reads and writes of the db are awaited as well; emits come with the result. */
const module = (
  tenant: number,
): string => `${plainText(tenant).replace("dbGet(", "await dbGet(").replace("dbSet(", "await dbSet(")}
let asking;
const post = async (path, body) => (await asking.fetch("http://host/" + path, { method: "POST", body })).text();
globalThis.dbGet = async (key) => (await post("get", key)) || undefined;
globalThis.dbSet = (key, value) => post("set", JSON.stringify([key, value]));
globalThis.ask = (text) => post("ask", text);
let events = [];
globalThis.emit = (event) => { events.push(event); };
export default { async fetch(request, env) {
  asking = env.HOST;
  const result = await globalThis.__run(await request.text());
  const emits = events; events = [];
  return new Response(JSON.stringify([result, emits]));
} };`;

const parentOf = (pid: string): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    return 0;
  }
};

const children = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
    .map(Number);

/** One process of workerd; its tenants are given when it starts, so `tenants` are parked at once. */
export const workerd = (tenants: number): Contestant => ({
  name: "workerd by miniflare",
  freshRealm: false,
  memoryCap: "none when run locally",
  kill: "none when run locally",
  durable: "by Durable Objects",
  note: "a process of its own; db and emits by HTTP",
  async open(): Promise<Opened> {
    const { Miniflare } = (await loadPeer("miniflare")) as { Miniflare: new (options: object) => MiniflareLike };
    const hosts: HostSide[] = [];
    const before = new Set(children());
    const HOST = (index: number) => async (request: { url: string; text(): Promise<string> }) => {
      const host = hosts[index];
      const body = await request.text();
      const path = new URL(request.url).pathname.slice(1);
      if (path === "get") return new Response(host?.dbGet(body) ?? "");
      if (path === "ask") return new Response(await host?.ask(body));
      const [key = "", value = ""] = JSON.parse(body) as string[];
      host?.dbSet(key, value);
      return new Response("");
    };
    const flare = new Miniflare({
      workers: Array.from({ length: tenants }, (_, tenant) => ({
        name: `t${tenant}`,
        modules: true,
        script: module(tenant),
        compatibilityDate: "2026-01-01",
        serviceBindings: { HOST: HOST(tenant) },
      })),
    });
    await flare.ready;
    return {
      pids: children().filter((pid) => !before.has(pid)),
      park: (tenant) =>
        Promise.resolve({
          async start(host): Promise<Live> {
            hosts[tenant] = host;
            const worker = await flare.getWorker(`t${tenant}`);
            return {
              async call(event) {
                const reply = await worker.fetch("http://tenant/", { method: "POST", body: event });
                const [result, emits] = JSON.parse(await reply.text()) as [string, string[]];
                for (const emitted of emits) host.emit(emitted);
                return result;
              },
              close: () => undefined,
            };
          },
        }),
      close: () => flare.dispose(),
    };
  },
});
