import { type Camel, camel } from "@x/resources";

type Renamed<T> = { readonly [Name in keyof T as Camel<Name & string>]: T[Name] };

/** Parameters in the names of the runtime: `account_id` is `accountId`. Absent ones stay absent. */
export const renamed = <T extends object>(given: T): Renamed<T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [camel(name), value])) as Renamed<T>;
