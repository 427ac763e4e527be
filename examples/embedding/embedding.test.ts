import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A copy of the example, which a test may change. */
async function copyExample(): Promise<string> {
  await mkdir(join(import.meta.dirname, ".tmp"), { recursive: true });
  const folder = await mkdtemp(join(import.meta.dirname, ".tmp/copy-"));
  folders.push(folder);
  for (const name of ["orders", "ledger", "with-node-http", "with-express", "with-hono"])
    await cp(join(import.meta.dirname, `${name}.ts`), join(folder, `${name}.ts`));
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  /** Posts an order; resolves with the status. */
  order(id: string, text?: string): Promise<number>;
}

async function startService(folder: string, program: string): Promise<Service> {
  const port = await freePort();
  const args = [join(folder, `${program}.ts`), join(folder, "data"), String(port)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(([code]) => Promise.reject(new Error(`${program} ended with ${String(code)}`))),
  ])) as [Buffer];
  const endpoint = line.toString().trim();
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    async order(id, text = JSON.stringify({ id, total: 10 })) {
      const headers = { "content-type": "application/json" };
      const response = await fetch(endpoint, { method: "POST", headers, body: text });
      return response.status;
    },
  };
}

async function stop({ child }: Service, signal: NodeJS.Signals): Promise<unknown[]> {
  child.kill(signal);
  return await once(child, "exit");
}

const bookOf = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, "data/book.json"), "utf8"));

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `A-${from + index}`);

/** The orders that a service has acknowledged before kill -9. */
async function takeAndBeKilled(folder: string, program: string): Promise<readonly string[]> {
  const service = await startService(folder, program);
  const ids = range(101, 120);
  expect(new Set(await Promise.all(ids.map((id) => service.order(id))))).toEqual(new Set([200]));
  expect(await stop(service, "SIGKILL")).toEqual([null, "SIGKILL"]);
  return ids;
}

test.each(["with-node-http", "with-express", "with-hono"])(
  "%s takes orders beside its own routes, also after kill -9, reloads the source and stops without losing one",
  async (program) => {
    const folder = await copyExample();
    const killed = program === "with-node-http" ? await takeAndBeKilled(folder, program) : [];
    const service = await startService(folder, program);
    const { url } = service;
    expect((await fetch(`${url}/events/healthz`)).status).toBe(200);
    const { count } = (await (await fetch(`${url}/book`)).json()) as { count: number };
    // Acknowledged orders may still be waiting.
    expect(count).toBeLessThanOrEqual(killed.length);
    expect((await fetch(`${url}/none`)).status).toBe(404);

    // The signed bytes must not change; a repeated id is the same order.
    const text = '{ "id" : "A-0",\n"total":\t10.0 }';
    expect([await service.order("A-0", text), await service.order("A-0")]).toEqual([200, 200]);

    const source = await readFile(join(folder, "orders.ts"), "utf8");
    await writeFile(join(folder, "orders.ts"), source.replace('"1.0.0"', '"2.0.0"'));
    const orders = range(1, 20).map((id) => service.order(id));
    const reloaded = await fetch(`${url}/reload`, { method: "POST" });
    expect(await reloaded.text()).toBe("2.0.0");
    expect(new Set(await Promise.all(orders))).toEqual(new Set([200]));

    expect(new Set(await Promise.all(range(21, 30).map((id) => service.order(id))))).toEqual(new Set([200]));
    expect(await stop(service, "SIGTERM")).toEqual([0, null]);
    expect(await bookOf(folder)).toMatchObject({ count: 31 + killed.length, total: 310 + 10 * killed.length });
  },
);
