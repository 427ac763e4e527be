export { type GivenPool, openPostgres, type PostgresOptions } from "./postgres.ts";
