export { type GivenPool, openPostgres, type PostgresOptions } from "./postgres.ts";
export { openPostgresRows } from "./row-source.ts";
export { openPostgresTarget } from "./row-target.ts";
export { inspectPostgres, type InspectedSchema } from "./inspect.ts";
