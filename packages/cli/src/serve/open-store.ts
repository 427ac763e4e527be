import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Logger, Store } from "@x/runtime";

import { EnvironmentError, UsageError } from "../errors.ts";

/** What this file uses of the package, which is installed for the flag only. */
export interface PostgresPackage {
  openPostgres(options: { readonly url: string; readonly logger: Logger }): Promise<Store>;
}

/** Loads the package. */
export type LoadPackage = () => Promise<PostgresPackage>;

const load: LoadPackage = () => import("@x/postgres");

async function openStore(url: string, logger: Logger, loadPackage: LoadPackage): Promise<Store> {
  const postgres = await loadPackage().catch((cause: unknown) => {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new EnvironmentError("--store needs the package @x/postgres; install it beside x: npm install @x/postgres");
  });
  return postgres.openPostgres({ url, logger });
}

/** The key in the file of a folder that `--data` names; undefined without one. */
function keyIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, "x.key"), "latin1").trim();
  } catch {
    return undefined;
  }
}

/** The options of a service whose data is on a server. Throws when the URL or the secret key is missing. */
export function storeOptions(
  url: string,
  { data, secretKey, logger }: { readonly data: string; readonly secretKey?: string; readonly logger: Logger },
  loadPackage: LoadPackage = load,
): { readonly data: () => Promise<Store>; readonly secretKey: string } {
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new UsageError("--store must be a postgres:// URL");
  const key = secretKey ?? keyIn(data);
  if (key === undefined) {
    throw new EnvironmentError(
      `--store needs the secret key of the data: set X_SECRET_KEY, or put the key file x.key into ${data} (a new key: openssl rand -hex 32)`,
    );
  }
  return { data: () => openStore(url, logger, loadPackage), secretKey: key };
}
