import type { Kit } from "../kit.ts";
import { createAtomics } from "./atomics.ts";
import { createMessaging } from "./messaging.ts";
import { createPerformance } from "./performance.ts";
import { createWebSocket } from "./web-socket.ts";

interface Rare {
  readonly classes: Record<string, unknown>;
  readonly performance: Record<string, unknown>;
  readonly Atomics: object;
  readCallSites(stack: string): object[];
}

/** The frames of a stack as V8 passes them to `Error.prepareStackTrace`; the engine knows only names and source locations. */
function readCallSites(stack: string): object[] {
  return stack
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "<anonymous>", file = "", row, column] =
        /^\s*at (.*?) ?\((.*?)(?::(\d+))?(?::(\d+))?\)$/.exec(line) ?? [];
      const isNative = file === "native";
      const site = {
        getColumnNumber: () => (column === undefined ? null : Number(column)),
        getEvalOrigin: () => undefined,
        getFileName: () => (isNative ? null : file),
        getFunction: () => undefined,
        getFunctionName: () => (name === "<anonymous>" ? null : name),
        getLineNumber: () => (row === undefined ? null : Number(row)),
        getMethodName: () => null,
        getScriptNameOrSourceURL: () => (isNative ? null : file),
        getThis: () => undefined,
        getTypeName: () => null,
        isAsync: () => false,
        isConstructor: () => false,
        isEval: () => false,
        isNative: () => isNative,
        isPromiseAll: () => false,
        isToplevel: () => true,
        toString: () => line.replace(/^\s*at /, ""),
      };
      return site;
    });
}

/** Rarely used globals that are too small for parts of their own. */
export default (kit: Kit): Rare => {
  const { classes, methods } = createPerformance(kit);
  return {
    classes: { ...createMessaging(kit), ...createWebSocket(kit), ...classes },
    performance: methods,
    Atomics: createAtomics(),
    readCallSites,
  };
};
