import { type Problem, XError } from "./errors.ts";

/** Calls every reader. When some refuse their value, throws the error of the first with the problems of all. */
export function readEach<T extends object>(readers: { readonly [Name in keyof T]: () => T[Name] }): T {
  const values: [string, unknown][] = [];
  const refusals: XError[] = [];
  for (const [name, read] of Object.entries<() => unknown>(readers)) {
    try {
      values.push([name, read()]);
    } catch (error) {
      if (!XError.is(error) || error.details.errors === undefined) throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (!first) return Object.fromEntries(values) as T;
  const errors = refusals.flatMap(({ details }): readonly Problem[] => details.errors ?? []);
  throw Object.assign(first, { details: { ...first.details, errors } });
}
