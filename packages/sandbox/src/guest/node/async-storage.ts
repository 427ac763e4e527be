type Run<Result> = (...args: unknown[]) => Result;

interface Scope {
  readonly store: unknown;
}

/** All storages of the realm, for snapshots. */
const storages = new Set<AsyncLocalStorage>();

/** Stores the state of all storages; the returned function runs another function with that state. */
export function snapshot(): <Result>(run: Run<Result>, ...args: unknown[]) => Result {
  const stores = [...storages].map((storage) => [storage, storage.getStore()] as const);
  return (run, ...args) =>
    stores.reduce<() => ReturnType<typeof run>>(
      (inner, [storage, store]) =>
        () =>
          storage.run(store, inner),
      () => run(...args),
    )();
}

/**
 * The engine does not report which call a continuation belongs to. Inside `run` the store is exact until the first await;
 * afterwards it is that of the pending `run` if only one is pending, and undefined if several are.
 */
export class AsyncLocalStorage {
  #current: Scope | undefined;
  readonly #pending = new Set<Scope>();

  constructor() {
    storages.add(this);
  }
  static bind<Result>(run: Run<Result>): Run<Result> {
    const restore = snapshot();
    return (...args) => restore(run, ...args);
  }
  static snapshot(): ReturnType<typeof snapshot> {
    return snapshot();
  }
  getStore(): unknown {
    if (this.#current) return this.#current.store;
    return this.#pending.size === 1 ? [...this.#pending][0]?.store : undefined;
  }
  run<Result>(store: unknown, run: Run<Result>, ...args: unknown[]): Result {
    const scope: Scope = { store };
    const before = this.#current;
    this.#current = scope;
    try {
      const result = run(...args);
      if (result instanceof Promise) this.#addPending(scope, result);
      return result;
    } finally {
      this.#current = before;
    }
  }
  exit<Result>(run: Run<Result>, ...args: unknown[]): Result {
    return this.run(undefined, run, ...args);
  }
  enterWith(store: unknown): void {
    this.#pending.clear();
    this.#pending.add({ store });
  }
  disable(): void {
    this.#pending.clear();
    this.#current = undefined;
  }
  #addPending(scope: Scope, result: Promise<unknown>): void {
    this.#pending.add(scope);
    const release = (): void => void this.#pending.delete(scope);
    result.then(release, release);
  }
}
