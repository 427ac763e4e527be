import { once } from "node:events";
import vm from "node:vm";
import { Worker } from "node:worker_threads";

import { type Contestant, killAfterMs, type Live, loadPeer, memoryBytes, type Parked } from "./contestant.ts";
import { type HostSide, plainText } from "./workload.ts";

interface IvmReference {
  apply(self: undefined, args: readonly unknown[], options: object): Promise<string>;
}
interface IvmContext {
  readonly global: {
    setSync(name: string, value: unknown): void;
    getSync(name: string, options: object): IvmReference;
  };
  evalSync(code: string): void;
  release(): void;
}
interface IvmIsolate {
  createContext(): Promise<IvmContext>;
  dispose(): void;
}
interface Ivm {
  readonly Isolate: (new (options: object) => IvmIsolate) & { createSnapshot(scripts: readonly object[]): unknown };
  readonly Callback: new (callback: (...texts: string[]) => unknown) => unknown;
  readonly Reference: new (callback: (text: string) => Promise<string>) => unknown;
}

const glue = `globalThis.ask = (text) => askHost.apply(undefined, [text], { result: { promise: true } });`;

async function openContext({ Callback, Reference }: Ivm, isolate: IvmIsolate, host: HostSide): Promise<IvmContext> {
  const context = await isolate.createContext();
  context.global.setSync("dbGet", new Callback((key = "") => host.dbGet(key)));
  context.global.setSync("dbSet", new Callback((key = "", value = "") => host.dbSet(key, value)));
  context.global.setSync("emit", new Callback((event = "") => host.emit(event)));
  context.global.setSync("askHost", new Reference(host.ask));
  context.evalSync(glue);
  return context;
}

const callIn = (context: IvmContext, event: string): Promise<string> =>
  context.global
    .getSync("__run", { reference: true })
    .apply(undefined, [event], { timeout: 2_000, result: { promise: true } });

async function loopIn(context: IvmContext): Promise<void> {
  const loop = context.global.getSync("__loop", { reference: true });
  await loop.apply(undefined, [], { timeout: killAfterMs }).catch(() => undefined);
}

/** `fresh`: a context for each call, in the tenant's isolate. */
const isolatedVm = (fresh: boolean): Contestant => ({
  name: fresh ? "isolated-vm, a context per call" : "isolated-vm, V8 snapshot",
  freshRealm: fresh,
  memoryCap: "yes, a soft one",
  kill: "yes, CPU time",
  durable: "none",
  async open() {
    const { default: ivm } = (await loadPeer("isolated-vm")) as { default: Ivm };
    return {
      park(tenant): Promise<Parked> {
        const snapshot = ivm.Isolate.createSnapshot([{ code: plainText(tenant) }]);
        return Promise.resolve({
          async start(host): Promise<Live> {
            const isolate = new ivm.Isolate({ snapshot, memoryLimit: memoryBytes / 1024 / 1024 });
            let context = await openContext(ivm, isolate, host);
            return {
              async call(event) {
                const result = await callIn(context, event);
                if (fresh) {
                  context.release();
                  context = await openContext(ivm, isolate, host);
                }
                return result;
              },
              loop: () => loopIn(context),
              close: () => isolate.dispose(),
            };
          },
        });
      },
      close: () => undefined,
    };
  },
});

const nodeVm: Contestant = {
  name: "node:vm, code cache",
  freshRealm: false,
  memoryCap: "none",
  kill: "synchronous code only",
  durable: "none",
  note: "not a wall",
  open: () =>
    Promise.resolve({
      park(tenant) {
        const code = plainText(tenant);
        const cachedData = new vm.Script(code).createCachedData();
        return Promise.resolve({
          start(host): Promise<Live> {
            const { dbGet, dbSet, ask, emit } = host;
            const context = vm.createContext({ dbGet, dbSet, ask, emit });
            new vm.Script(code, { cachedData }).runInContext(context);
            const run = context["__run"] as (event: string) => Promise<string>;
            const loop = new vm.Script("__loop()");
            return Promise.resolve({
              call: (event) => run(event),
              async loop() {
                try {
                  await loop.runInContext(context, { timeout: killAfterMs });
                } catch {
                  // Its time is over.
                }
              },
              close: () => undefined,
            });
          },
        });
      },
      close: () => undefined,
    }),
};

const workerGlue = `
const { parentPort } = require("node:worker_threads");
const db = new Map(); const asked = new Map(); let events = []; let count = 0;
globalThis.dbGet = (key) => db.get(key);
globalThis.dbSet = (key, value) => { db.set(key, value); events.push(["db", key, value]); };
globalThis.emit = (event) => { events.push(["emit", event]); };
globalThis.ask = (text) => new Promise((resolve) => { asked.set(++count, resolve); parentPort.postMessage(["ask", count, text]); });
parentPort.on("message", async ([kind, id, text]) => {
  if (kind === "answer") { const resolve = asked.get(id); asked.delete(id); resolve(text); return; }
  if (kind === "loop") globalThis.__loop();
  const result = await globalThis.__run(text);
  const done = events; events = [];
  parentPort.postMessage(["end", result, done]);
});
`;

type FromThread =
  | readonly ["ask", number, string]
  | readonly ["end", string, readonly (readonly [string, string, string])[]];

/** The db lies in the worker and its writes are reported at the end: a thread cannot call its host synchronously. */
function startWorker(code: string, host: HostSide): Live {
  const worker = new Worker(`${workerGlue}\n${code}`, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryBytes / 1024 / 1024 },
  });
  let resolve: (result: string) => void = () => undefined;
  worker.on("message", (message: FromThread) => {
    if (message[0] === "ask") {
      const [, id, text] = message;
      void host.ask(text).then((answer) => worker.postMessage(["answer", id, answer]));
      return;
    }
    for (const [kind, first, second] of message[2]) {
      if (kind === "emit") host.emit(first);
      else host.dbSet(first, second);
    }
    resolve(message[1]);
  });
  return {
    call(event) {
      const ended = Promise.withResolvers<string>();
      resolve = ended.resolve;
      worker.postMessage(["run", 0, event]);
      return ended.promise;
    },
    async loop() {
      worker.postMessage(["loop", 0, ""]);
      await new Promise((done) => setTimeout(done, killAfterMs));
      const gone = once(worker, "exit");
      await worker.terminate();
      await gone;
    },
    close: async () => void (await worker.terminate()),
  };
}

const workerPerTenant: Contestant = {
  name: "a worker thread per tenant",
  freshRealm: false,
  memoryCap: "heap only",
  kill: "yes, with the thread",
  durable: "none",
  note: "db in the thread; not a wall",
  open: () =>
    Promise.resolve({
      park(tenant) {
        const code = plainText(tenant);
        return Promise.resolve({ start: (host) => Promise.resolve(startWorker(code, host)) });
      },
      close: () => undefined,
    }),
};

export const v8Contestants: readonly Contestant[] = [isolatedVm(false), isolatedVm(true), nodeVm, workerPerTenant];
