import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { InspectedStore, Logger, RowSource, RowTarget, Store } from "@x/runtime";

import { EnvironmentError, UsageError } from "../errors.ts";

interface PostgresOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Default: that of the package. */
  readonly nodes?: "one" | "several";
}

/** What this file uses of the package, which is installed for the flag only. */
export interface PostgresPackage {
  openPostgres(options: PostgresOptions): Promise<Store>;
  openPostgresRows(options: { readonly url: string }): Promise<RowSource>;
  openPostgresTarget(options: { readonly url: string }): Promise<RowTarget>;
  inspectPostgres(options: {
    readonly url: string;
  }): Promise<InspectedStore & { readonly serverVersion: string; readonly hasData: boolean }>;
}

/** Loads the package. */
export type LoadPackage = () => Promise<Pick<PostgresPackage, "openPostgres">>;

/** Loads the package. Rejects with `EnvironmentError` when it is not installed. */
export const loadPostgres = (): Promise<PostgresPackage> => installed(() => import("@x/postgres"));

function installed<Package>(loadPackage: () => Promise<Package>): Promise<Package> {
  return loadPackage().catch((cause: unknown) => {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new EnvironmentError("--store needs the package @x/postgres; install it beside x: npm install @x/postgres");
  });
}

/** Throws `UsageError` for another URL. */
export function checkStoreUrl(url: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new UsageError("--store must be a postgres:// URL");
  return url;
}

async function openStore(options: PostgresOptions, loadPackage: LoadPackage): Promise<Store> {
  return (await installed(loadPackage)).openPostgres(options);
}

/** The key in the file of a folder that `--data` names; undefined without one. */
function keyIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "x.key"), "latin1").trim();
  } catch {
    return undefined;
  }
}

interface StorePlace {
  /** May hold the key file. */
  readonly data: string;
  readonly secretKey?: string;
  readonly logger: Logger;
  /** `one`: refused while a service uses the schema. */
  readonly nodes?: "one" | "several";
}

/** The options of a service whose data is on a server. Throws when the URL or the secret key is missing. */
export function storeOptions(
  url: string,
  { data, secretKey, logger, nodes }: StorePlace,
  loadPackage: LoadPackage = loadPostgres,
): { readonly data: () => Promise<Store>; readonly secretKey: string } {
  checkStoreUrl(url);
  const key = secretKey ?? keyIn(data);
  if (key === undefined) {
    throw new EnvironmentError(
      `--store needs the secret key of the data: set X_SECRET_KEY, or put the key file x.key into ${data} (a new key: openssl rand -hex 32)`,
    );
  }
  return { data: () => openStore({ url, logger, ...(nodes && { nodes }) }, loadPackage), secretKey: key };
}
