/** Stands in for what components cannot have: a name that can be imported and extended, and throws when it is used. */
export function unavailable(name: string): (...given: unknown[]) => never {
  const missing = function (): never {
    const error = new Error(`${name} is not available to components`);
    throw Object.assign(error, { code: "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM" });
  };
  Object.defineProperty(missing, "name", { value: name.slice(name.lastIndexOf(".") + 1), configurable: true });
  return missing;
}

/** A built-in with every name that Node's own has: the given ones work, the others are `unavailable`. */
export function completed(name: string, own: object, functions: string, values: object): object {
  const all = own as Record<string, unknown>;
  for (const each of functions.split(" ")) {
    if (each !== "" && !Object.hasOwn(all, each)) all[each] = unavailable(`${name}.${each}`);
  }
  for (const [each, value] of Object.entries(values)) if (!Object.hasOwn(all, each)) all[each] = value;
  return all;
}
