const sockets =
  "they have no sockets, only requests over HTTP (fetch, node:http, node:https); use an HTTP API of the service, or a client that has one";
/** What to use instead, by module. */
const instead: { readonly [module: string]: string } = {
  child_process:
    "they start no programs; use a package that is all JavaScript, or a service that does the work over HTTP",
  cluster: "they have one thread",
  dgram: sockets,
  http2: sockets,
  net: sockets,
  tls: sockets,
  vm: "they have one realm; run the code in it by vm.runInThisContext",
};

/** The reason and the alternative. */
function sentence(name: string): string {
  const [module = ""] = name.split(".");
  const known = Object.hasOwn(instead, module) ? `: ${instead[module]}` : "";
  return `${name} is not available to components${known}`;
}

/** A replacement for what components cannot have: it can be imported and extended, and throws when it is used. */
export function unavailable(name: string): (...given: unknown[]) => never {
  const missing = function (): never {
    const error = new Error(sentence(name));
    throw Object.assign(error, { code: "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM" });
  };
  Object.defineProperty(missing, "name", { value: name.slice(name.lastIndexOf(".") + 1), configurable: true });
  return missing;
}

/** Adds all other names of Node's built-in to a module: functions that are `unavailable`, and plain values. */
export function completed(name: string, own: object, functions: string, values: object): object {
  const all = own as Record<string, unknown>;
  for (const each of functions.split(" ")) {
    if (each !== "" && !Object.hasOwn(all, each)) all[each] = unavailable(`${name}.${each}`);
  }
  for (const [each, value] of Object.entries(values)) if (!Object.hasOwn(all, each)) all[each] = value;
  return all;
}
