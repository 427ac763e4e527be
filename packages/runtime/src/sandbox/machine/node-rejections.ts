import { promiseHooks } from "node:v8";
import { compileFunction } from "node:vm";

import type { Realm } from "./node-realm.ts";

/** Hears that a promise was rejected while nobody handled it; without a reason: that such a one is handled now. */
export type HearRejection = (promise: object, rejection?: { readonly reason: unknown }) => void;

type Watch = (settled: object, rejected: (reason: unknown) => void) => void;

/** In the realm: a promise calls what hears of it among the jobs of the realm that the function is of. */
const watchCode = `const { then } = Promise.prototype; const { apply } = Reflect;
return (settled, rejected) => { apply(then, settled, [undefined, (reason) => rejected(reason)]); };`;

/** Runs code of a realm while its promises are watched. */
export interface NodeRejections {
  inside<T>(run: () => T): T;
  /** Runs code of the host in between: its promises are its own business. */
  outside<T>(run: () => T): T;
}

/**
 * A rejection that nobody handles is the component's own business, as in the sandbox; it must not end this process. What
 * Node calls a promise's parent is the one whose jobs settle it. When one of them begins after that has settled, somebody
 * handles it: a parent may also be the promise of an async function that waits for something else.
 */
export function createNodeRejections(realm: Realm, hear: HearRejection): NodeRejections {
  const watch = (compileFunction(watchCode, [], { parsingContext: realm }) as () => Watch)();
  const parents = new WeakMap<object, object>();
  const hasSettled = new WeakSet<object>();
  const isHandled = new WeakSet<object>();
  /** Those that come from watching. */
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
    hear(parent);
  };
  const settled = (promise: object): void => {
    if (isOutside || own.has(promise)) return;
    hasSettled.add(promise);
    isWatching = true;
    watch(promise, (reason) => {
      if (!isHandled.has(promise)) hear(promise, { reason });
    });
    isWatching = false;
  };
  return {
    inside(run) {
      const stop = promiseHooks.createHook({ init, before, settled }) as () => void;
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
