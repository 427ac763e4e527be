import { XError } from "@x/runtime";

/** Parameters that come in the query string or in a JSON body; the query wins (contract 3.1). */
export const mergeParameters = <T extends object>(query: T, body: T): T => ({ ...body, ...query });

/** Throws `missing_parameter` naming the first that neither place gave. An empty value is a value (T7). */
export function requireParameters<T extends object, K extends keyof T & string>(
  given: T,
  expected: Readonly<Record<K, { readonly description: string }>>,
): asserts given is T & { [name in K]-?: Exclude<T[name], undefined> } {
  const missing = (Object.keys(expected) as K[]).filter((name) => given[name] === undefined);
  const [first] = missing;
  if (first === undefined) return;
  const errors = missing.map((name) => ({ in: "query", path: `/${name}`, message: "is missing" }));
  throw new XError("missing_parameter", [first, expected[first].description], {
    details: { parameter: first, errors },
  });
}
