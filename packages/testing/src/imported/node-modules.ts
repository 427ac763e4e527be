import { type Debugger, Session } from "node:inspector";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type { LoadedModule } from "./loaded-module.ts";

type Script = Debugger.ScriptParsedEventDataType;

/** Those of packages last: components are rarely among them. */
const byLikelihood = (scripts: readonly Script[]): Script[] => {
  const latestFirst = scripts.toReversed();
  const isInPackage = ({ url }: Script): boolean => url.includes("/node_modules/");
  return [...latestFirst.filter((script) => !isInPackage(script)), ...latestFirst.filter(isInPackage)];
};

/**
 * The modules that Node itself has loaded in this thread, the latest first. Its loader lists none; the inspector lists the
 * scripts, and `require` gives what a module exports that was imported before, without running it again.
 */
export function* nodeModules(): Generator<LoadedModule> {
  const session = new Session();
  const scripts: Script[] = [];
  session.on("Debugger.scriptParsed", ({ params }) => scripts.push(params));
  try {
    session.connect();
    session.post("Debugger.enable");
    const require = createRequire(import.meta.url);
    const known = scripts.length;
    for (const { url, isModule } of byLikelihood(scripts)) {
      // With a query it is another module than that which `require` gives.
      if (!url.startsWith("file:") || /[?#]/.test(url)) continue;
      const file = fileURLToPath(url);
      const exports = isModule ? requireModule(require, file) : { default: require.cache[file]?.exports as unknown };
      // A loader that keeps what is required apart from what is imported: nothing more is to be run again.
      if (scripts.slice(known).some((script) => script.url === url)) return;
      if (exports) yield { file, exports, isMock: false };
    }
  } catch {
    // Some processes may not inspect themselves.
  } finally {
    session.disconnect();
  }
}

/** Undefined for modules that cannot be had at once: that await at their top level, that are not evaluated yet. */
function requireModule(require: NodeJS.Require, file: string): object | undefined {
  try {
    const exports: unknown = require(file);
    return typeof exports === "object" && exports !== null ? exports : undefined;
  } catch {
    return undefined;
  }
}
