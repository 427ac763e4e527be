/** Adds members that are created at their first read; an assignment replaces one. */
export function withLazyMembers(target: object, members: Readonly<Record<string, () => unknown>>): object {
  for (const [name, make] of Object.entries(members)) {
    const define = (value: unknown): void => {
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
    };
    Object.defineProperty(target, name, {
      get() {
        const value = make();
        define(value);
        return value;
      },
      set: define,
      configurable: true,
      enumerable: true,
    });
  }
  return target;
}
