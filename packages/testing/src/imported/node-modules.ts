import { type Debugger, Session } from "node:inspector";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { attempt } from "../attempt.ts";
import type { LoadedModule } from "./loaded-module.ts";

type Script = Debugger.ScriptParsedEventDataType;

/** Latest first, files of packages last: components are rarely among them. */
const byLikelihood = (scripts: readonly Script[]): Script[] => {
  const latestFirst = scripts.toReversed();
  const isInPackage = ({ url }: Script): boolean => url.includes("/node_modules/");
  return [...latestFirst.filter((script) => !isInPackage(script)), ...latestFirst.filter(isInPackage)];
};

/**
 * The modules that Node has loaded in this thread, latest first. Node's loader has no list; the inspector lists the scripts,
 * and `require` returns the exports of an imported module without running it again.
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
      // A URL with a query is another module than the one that `require` returns.
      if (!url.startsWith("file:") || /[?#]/.test(url)) continue;
      const file = fileURLToPath(url);
      const exports = isModule ? requireModule(require, file) : { default: require.cache[file]?.exports as unknown };
      // `require` ran the file again, so a custom loader is in use: stop, to run no other file.
      if (scripts.slice(known).some((script) => script.url === url)) return;
      if (exports) yield { file, exports, isMock: false };
    }
  } catch {
    // Some processes may not use the inspector.
  } finally {
    session.disconnect();
  }
}

/** Undefined for modules with a top-level await, and for those that are not evaluated yet. */
function requireModule(require: NodeJS.Require, file: string): object | undefined {
  const exports = attempt((): unknown => require(file));
  return typeof exports === "object" && exports !== null ? exports : undefined;
}
