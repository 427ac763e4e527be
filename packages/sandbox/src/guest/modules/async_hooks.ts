import { AsyncLocalStorage, snapshot } from "../node/async-storage.ts";

type Run = (...args: unknown[]) => unknown;
let lastId = 1;

class AsyncResource {
  readonly type: string;
  readonly #id = ++lastId;
  readonly #restore = snapshot();

  constructor(type: string) {
    this.type = type;
  }
  static bind(run: Run, type = "bound"): Run {
    return new AsyncResource(type).bind(run);
  }
  bind(run: Run, self?: unknown): Run {
    return (...args) => this.runInAsyncScope(run, self, ...args);
  }
  runInAsyncScope(run: Run, self?: unknown, ...args: unknown[]): unknown {
    return this.#restore(() => run.apply(self, args));
  }
  emitDestroy(): this {
    return this;
  }
  asyncId(): number {
    return this.#id;
  }
  triggerAsyncId(): number {
    return 1;
  }
}

const hook = { enable: () => hook, disable: () => hook };

export default {
  AsyncLocalStorage,
  AsyncResource,
  // Hooks are never called.
  createHook: () => hook,
  executionAsyncId: () => 1,
  executionAsyncResource: () => ({}),
  triggerAsyncId: () => 0,
  asyncWrapProviders: {},
};
