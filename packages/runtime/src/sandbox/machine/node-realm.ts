import { constants, createContext } from "node:vm";

import { bundleFileName, preludeFileName } from "../ops.ts";

/** What Node's realms have beyond the sandbox's: a component that works with it would not work there. */
const foreignGlobals: readonly string[] = [
  "AsyncDisposableStack",
  "Atomics",
  "DisposableStack",
  "Intl",
  "SuppressedError",
  "WebAssembly",
  "gc",
];
const mostFrames = 100;

/** Where a frame is in the guest; undefined: in the host, which the guest knows nothing of. */
function placeOf(site: NodeJS.CallSite): string | undefined {
  const file = site.getFileName() ?? "";
  if (site.isNative() || file === "") return "native";
  const isGuest = file === bundleFileName || file === preludeFileName;
  return isGuest ? `${file}:${site.getLineNumber()}:${site.getColumnNumber()}` : undefined;
}

function frameText(site: NodeJS.CallSite): string {
  const place = placeOf(site);
  const name = `${site.isAsync() ? "async " : ""}${site.getFunctionName() ?? "<anonymous>"}`;
  return place === undefined ? "" : `    at ${name} (${place})\n`;
}

/** A stack as the sandbox's engine writes it: frames alone, each function by its own name. */
const stackText = (_error: unknown, sites: readonly NodeJS.CallSite[]): string => sites.map(frameText).join("");

/** A global object of its own with the language and nothing of Node. Its promise jobs run when a script of it has run. */
export type Realm = Record<string, unknown> & {
  readonly ArrayBuffer: typeof ArrayBuffer;
  readonly Error: ErrorConstructor;
};

export function createRealm(): Realm {
  const realm = createContext(constants.DONT_CONTEXTIFY, {
    microtaskMode: "afterEvaluate",
    codeGeneration: { strings: true, wasm: false },
  }) as Realm;
  // A flag of the process gives realms one that stays.
  for (const name of foreignGlobals) if (!Reflect.deleteProperty(realm, name)) realm[name] = undefined;
  Object.defineProperty(realm.Error, "prepareStackTrace", { value: stackText, writable: true, configurable: true });
  realm.Error.stackTraceLimit = mostFrames;
  return realm;
}
