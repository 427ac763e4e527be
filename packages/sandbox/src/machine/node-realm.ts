import v8 from "node:v8";
import vm from "node:vm";

import { bundleFileName, preludeFileName } from "../ops.ts";

/** Globals of Node's realms that the sandbox lacks; removed, so that components do not rely on them. */
const foreignGlobals: readonly string[] = [
  "AsyncDisposableStack",
  "Atomics",
  "DisposableStack",
  "Intl",
  "SuppressedError",
  "WebAssembly",
  "gc",
];
const maxFrames = 100;

/** The location of a guest frame; undefined for a frame of the host. */
function locationOf(site: NodeJS.CallSite): string | undefined {
  const file = site.getFileName() ?? "";
  if (site.isNative() || file === "") return "native";
  const isGuest = file === bundleFileName || file === preludeFileName;
  return isGuest ? `${file}:${site.getLineNumber()}:${site.getColumnNumber()}` : undefined;
}

function frameText(site: NodeJS.CallSite): string {
  const location = locationOf(site);
  const name = `${site.isAsync() ? "async " : ""}${site.getFunctionName() ?? "<anonymous>"}`;
  return location === undefined ? "" : `    at ${name} (${location})\n`;
}

/** A stack in QuickJS's format: frames only, with plain function names. */
const stackText = (_error: unknown, sites: readonly NodeJS.CallSite[]): string => sites.map(frameText).join("");

/** A global object with the language only. Its promise jobs run after each of its scripts. */
export type Realm = Record<string, unknown> & {
  readonly ArrayBuffer: typeof ArrayBuffer;
  readonly Error: ErrorConstructor;
};

export function createRealm(): Realm {
  const realm = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    microtaskMode: "afterEvaluate",
    codeGeneration: { strings: true, wasm: false },
  }) as Realm;
  // With some flags of the process a global cannot be deleted.
  for (const name of foreignGlobals) if (!Reflect.deleteProperty(realm, name)) realm[name] = undefined;
  Object.defineProperty(realm.Error, "prepareStackTrace", { value: stackText, writable: true, configurable: true });
  realm.Error.stackTraceLimit = maxFrames;
  return realm;
}

/** Receives a promise that was rejected without a handler; without `rejection`: a reported one got a handler. */
type RejectionListener = (promise: object, rejection?: { readonly reason: unknown }) => void;

type Watch = (settled: object, rejected: (reason: unknown) => void) => void;

/** Runs in the realm, so that the callback runs among the realm's promise jobs. */
const watchCode = `const { then } = Promise.prototype; const { apply } = Reflect;
return (settled, rejected) => { apply(then, settled, [undefined, (reason) => rejected(reason)]); };`;

/** Runs code of a realm while observing its promises. */
interface NodeRejections {
  inside<T>(run: () => T): T;
  /** Runs code of the host, whose promises are not observed. */
  outside<T>(run: () => T): T;
}

/**
 * Reports unhandled rejections of a realm, which must not end this process. A promise's parent in Node is the promise
 * whose jobs settle it. A job that starts after its parent has settled handles the parent; a job before that can belong to
 * an async function that waits for something else.
 */
export function createNodeRejections(realm: Realm, report: RejectionListener): NodeRejections {
  const watch = (vm.compileFunction(watchCode, [], { parsingContext: realm }) as () => Watch)();
  const parents = new WeakMap<object, object>();
  const hasSettled = new WeakSet<object>();
  const isHandled = new WeakSet<object>();
  /** Promises of the observation itself. */
  const own = new WeakSet<object>();
  let isWatching = false;
  let isOutside = false;
  const init = (promise: object, parent: object | undefined): void => {
    if (isOutside) return;
    if (isWatching) own.add(promise);
    else if (parent) parents.set(promise, parent);
  };
  const before = (promise: object): void => {
    const parent = parents.get(promise);
    if (!parent || !hasSettled.has(parent) || isHandled.has(parent)) return;
    isHandled.add(parent);
    report(parent);
  };
  const settled = (promise: object): void => {
    if (isOutside || own.has(promise)) return;
    hasSettled.add(promise);
    isWatching = true;
    watch(promise, (reason) => {
      if (!isHandled.has(promise)) report(promise, { reason });
    });
    isWatching = false;
  };
  return {
    inside(run) {
      const stop = v8.promiseHooks.createHook({ init, before, settled }) as () => void;
      try {
        return run();
      } finally {
        stop();
        isWatching = isOutside = false;
      }
    },
    outside(run) {
      isOutside = true;
      try {
        return run();
      } finally {
        isOutside = false;
      }
    },
  };
}
