import { readFile } from "node:fs/promises";

import { wasm as engine } from "../../packages/sandbox/src/machine/wasm.ts";
import { type Contestant, killAfterMs, type Live, loadPeer, memoryBytes, type Opened, peerPath } from "./contestant.ts";
import { type HostSide, plainText } from "./workload.ts";

/** What quickjs-wasi and quickjs-emscripten have in common. */
interface Handle {
  dispose(): void;
}
interface Deferred {
  readonly handle: Handle;
  resolve(value: Handle): void;
}
interface Realm {
  readonly global: Handle;
  readonly undefined: Handle;
  newString(text: string): Handle;
  newPromise(): Deferred;
  getProp(object: Handle, name: string): Handle;
  setProp(object: Handle, name: string, value: Handle): void;
}

interface WasiHandle extends Handle {
  getProp(name: string): WasiHandle;
  toString(): string;
}
interface WasiRealm {
  readonly global: WasiHandle;
  readonly undefined: WasiHandle;
  newString(text: string): WasiHandle;
  newPromise(): { readonly handle: WasiHandle; resolve(value: WasiHandle): void };
  newFunction(name: string, callback: (...args: WasiHandle[]) => WasiHandle): WasiHandle;
  setProp(object: WasiHandle, name: string, value: WasiHandle): void;
  registerHostCallback(name: string, callback: (...args: WasiHandle[]) => WasiHandle): void;
  evalCode(code: string): WasiHandle;
  callFunction(called: WasiHandle, self: WasiHandle, ...args: WasiHandle[]): WasiHandle;
  executePendingJobs(): number;
  resolvePromise(promise: WasiHandle): Promise<{ readonly value?: WasiHandle; readonly error?: WasiHandle }>;
  snapshot(): unknown;
  dispose(): void;
}
interface Wasi {
  create(options: object): Promise<WasiRealm>;
  restore(snapshot: unknown, options: object): Promise<WasiRealm>;
}

/** The host functions of a realm of quickjs-wasi, by their names. */
const wasiFunctions = (realm: WasiRealm, host: HostSide): [string, (...args: WasiHandle[]) => WasiHandle][] => [
  [
    "dbGet",
    (key) => {
      const value = host.dbGet(String(key));
      return value === undefined ? realm.undefined : realm.newString(value);
    },
  ],
  [
    "dbSet",
    (key, value) => {
      host.dbSet(String(key), String(value));
      return realm.undefined;
    },
  ],
  [
    "emit",
    (event) => {
      host.emit(String(event));
      return realm.undefined;
    },
  ],
  [
    "ask",
    (question) => {
      const deferred = realm.newPromise();
      void host.ask(String(question)).then((answer) => {
        deferred.resolve(realm.newString(answer));
        realm.executePendingJobs();
      });
      return deferred.handle;
    },
  ],
];

const noHost: HostSide = {
  dbGet: () => undefined,
  dbSet: () => undefined,
  ask: () => Promise.reject(new Error("nothing answers yet")),
  emit: () => undefined,
};

function wasiLive(realm: WasiRealm, deadline: { at: number }): Live {
  return {
    async call(event) {
      deadline.at = performance.now() + 10_000;
      const run = realm.global.getProp("__run");
      const text = realm.newString(event);
      const promise = realm.callFunction(run, realm.undefined, text);
      realm.executePendingJobs();
      const { value } = await realm.resolvePromise(promise);
      const result = String(value);
      for (const handle of [run, text, promise, value]) handle?.dispose();
      deadline.at = Infinity;
      return result;
    },
    loop() {
      deadline.at = performance.now() + killAfterMs;
      try {
        realm.callFunction(realm.global.getProp("__loop"), realm.undefined).dispose();
      } catch {
        // Its time is over.
      }
      deadline.at = Infinity;
      return Promise.resolve();
    },
    close: () => realm.dispose(),
  };
}

/** `fresh`: each call starts from the snapshot. */
const quickJsWasi = (fresh: boolean): Contestant => ({
  name: fresh ? "quickjs-wasi, restored for each call" : "quickjs-wasi, restored once",
  freshRealm: fresh,
  memoryCap: "the engine's own",
  kill: "between instructions",
  durable: "snapshot by hand",
  async open(): Promise<Opened> {
    const { QuickJS } = (await loadPeer("quickjs-wasi")) as { QuickJS: Wasi };
    const wasm = await engine.compile(await readFile(peerPath("quickjs-wasi/quickjs.wasm")));
    const deadline = { at: Infinity };
    const options = { wasm, memoryLimit: memoryBytes, interruptHandler: () => performance.now() > deadline.at };
    return {
      async park(tenant) {
        const first = await QuickJS.create(options);
        for (const [name, callback] of wasiFunctions(first, noHost))
          first.setProp(first.global, name, first.newFunction(name, callback));
        first.evalCode(plainText(tenant)).dispose();
        const snapshot = first.snapshot();
        first.dispose();
        const restore = async (host: HostSide): Promise<Live> => {
          const realm = await QuickJS.restore(snapshot, options);
          for (const [name, callback] of wasiFunctions(realm, host)) realm.registerHostCallback(name, callback);
          return wasiLive(realm, deadline);
        };
        return {
          async start(host) {
            if (!fresh) return restore(host);
            const loop = async (): Promise<void> => {
              const live = await restore(host);
              await live.loop?.();
              await live.close();
            };
            return {
              async call(event) {
                const live = await restore(host);
                const result = await live.call(event);
                await live.close();
                return result;
              },
              loop,
              close: () => undefined,
            };
          },
        };
      },
      close: () => undefined,
    };
  },
});

interface EmscriptenRealm extends Realm {
  readonly runtime: {
    setMemoryLimit(bytes: number): void;
    setInterruptHandler(handler: () => boolean): void;
    executePendingJobs(): { dispose(): void };
  };
  newPromise(): Deferred & { readonly settled: Promise<void> };
  newFunction(name: string, callback: (...args: Handle[]) => Handle | undefined): Handle;
  getString(handle: Handle): string;
  evalCode(code: string): { readonly value?: Handle; readonly error?: Handle };
  callFunction(called: Handle, self: Handle, ...args: Handle[]): { readonly value?: Handle; readonly error?: Handle };
  resolvePromise(promise: Handle): Promise<{ readonly value?: Handle; readonly error?: Handle }>;
  dispose(): void;
}

function unwrap(result: { readonly value?: Handle; readonly error?: Handle }): Handle {
  if (result.value) return result.value;
  result.error?.dispose();
  throw new Error("The guest threw");
}

/** Defines the host functions in a realm of quickjs-emscripten. */
function defineHost(realm: EmscriptenRealm, host: HostSide): void {
  const define = (name: string, callback: (...texts: string[]) => Handle | undefined): void => {
    const handle = realm.newFunction(name, (...args) => callback(...args.map((arg) => realm.getString(arg))));
    realm.setProp(realm.global, name, handle);
    handle.dispose();
  };
  define("dbGet", (key = "") => {
    const value = host.dbGet(key);
    return value === undefined ? undefined : realm.newString(value);
  });
  define("dbSet", (key = "", value = "") => {
    host.dbSet(key, value);
    return undefined;
  });
  define("emit", (event = "") => {
    host.emit(event);
    return undefined;
  });
  define("ask", (question = "") => {
    const deferred = realm.newPromise();
    void host.ask(question).then((answer) => {
      const text = realm.newString(answer);
      deferred.resolve(text);
      text.dispose();
      realm.runtime.executePendingJobs().dispose();
    });
    return deferred.handle;
  });
}

function emscriptenLive(realm: EmscriptenRealm, deadline: { at: number }): Live {
  return {
    async call(event) {
      deadline.at = performance.now() + 10_000;
      const run = realm.getProp(realm.global, "__run");
      const text = realm.newString(event);
      const promise = unwrap(realm.callFunction(run, realm.undefined, text));
      const ended = realm.resolvePromise(promise);
      realm.runtime.executePendingJobs().dispose();
      const value = unwrap(await ended);
      const result = realm.getString(value);
      for (const handle of [run, text, promise, value]) handle.dispose();
      deadline.at = Infinity;
      return result;
    },
    loop() {
      deadline.at = performance.now() + killAfterMs;
      const loop = realm.getProp(realm.global, "__loop");
      realm.callFunction(loop, realm.undefined).error?.dispose();
      loop.dispose();
      deadline.at = Infinity;
      return Promise.resolve();
    },
    close: () => realm.dispose(),
  };
}

const emscripten: Contestant = {
  name: "quickjs-emscripten",
  freshRealm: false,
  memoryCap: "the engine's own",
  kill: "between instructions",
  durable: "none",
  async open(): Promise<Opened> {
    const { newQuickJSWASMModule } = (await loadPeer("quickjs-emscripten")) as {
      newQuickJSWASMModule(): Promise<{ newContext(): EmscriptenRealm }>;
    };
    const module = await newQuickJSWASMModule();
    const deadline = { at: Infinity };
    return {
      park(tenant) {
        const code = plainText(tenant);
        return Promise.resolve({
          start(host) {
            const realm = module.newContext();
            realm.runtime.setMemoryLimit(memoryBytes);
            realm.runtime.setInterruptHandler(() => performance.now() > deadline.at);
            defineHost(realm, host);
            unwrap(realm.evalCode(code)).dispose();
            return Promise.resolve(emscriptenLive(realm, deadline));
          },
        });
      },
      close: () => undefined,
    };
  },
};

interface Sandboxed {
  readonly ok: boolean;
  readonly data?: unknown;
  readonly error?: unknown;
}
type RunSandboxed = (
  run: (sandbox: { evalCode(code: string): Promise<Sandboxed> }) => Promise<Sandboxed>,
  options: object,
) => Promise<Sandboxed>;

/** It has no lasting realm by its documented interface: each call evaluates the component anew. */
const sebastianwessel: Contestant = {
  name: "@sebastianwessel/quickjs",
  freshRealm: true,
  memoryCap: "the engine's own",
  kill: "between instructions",
  durable: "none",
  note: "evaluates the component in each call",
  async open(): Promise<Opened> {
    const { loadQuickJs } = (await loadPeer("@sebastianwessel/quickjs")) as {
      loadQuickJs(variant: unknown): Promise<{ runSandboxed: RunSandboxed }>;
    };
    const variant = (await loadPeer("@jitl/quickjs-ng-wasmfile-release-sync")) as { default: unknown };
    const { runSandboxed } = await loadQuickJs(variant.default);
    return {
      park(tenant) {
        const code = plainText(tenant);
        const run = (last: string, host: HostSide, executionTimeout: number): Promise<Sandboxed> => {
          const { dbGet, dbSet, ask, emit } = host;
          const text = `const { dbGet, dbSet, ask, emit } = env;\n${code}\n${last}`;
          return runSandboxed(({ evalCode }) => evalCode(text), {
            env: { dbGet, dbSet, ask, emit },
            executionTimeout,
            memoryLimit: memoryBytes,
          });
        };
        return Promise.resolve({
          start: (host) =>
            Promise.resolve({
              async call(event) {
                const last = `export default await globalThis.__run(${JSON.stringify(event)});`;
                const { ok, data, error } = await run(last, host, 2_000);
                if (!ok) throw new Error(JSON.stringify(error));
                return String(data);
              },
              async loop() {
                await run("export default globalThis.__loop();", host, killAfterMs);
              },
              close: () => undefined,
            }),
        });
      },
      close: () => undefined,
    };
  },
};

export const quickJsContestants: readonly Contestant[] = [
  quickJsWasi(false),
  quickJsWasi(true),
  emscripten,
  sebastianwessel,
];
