import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A Keyv as an embedder makes it. */
export interface GivenKeyv {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  on(event: "error", listener: (error: unknown) => void): unknown;
  disconnect(): Promise<void>;
}

interface Latest {
  /** Their versions, of the adapter first. */
  readonly versions: readonly string[];
  /** As docs/embedding.md says it, in this file. */
  open(file: string, busyTimeout?: number): GivenKeyv;
}

type New<Made> = new (options: object) => Made;

/**
 * The releases of @keyv/sqlite and Keyv that npm calls latest: those in the workspace, with a driver of ours in the place of
 * sqlite3; or, with X_TEST_KEYV, those that npm has installed into that folder, with all that belongs to them.
 */
export function loadLatest(): Latest {
  const given = process.env["X_TEST_KEYV"];
  const folder = given ?? fileURLToPath(new URL("..", import.meta.url));
  const require = createRequire(join(folder, "package.json"));
  const driver = new URL("sqlite3-driver.ts", import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "sqlite3" && given === undefined ? { url: driver, shortCircuit: true } : next(specifier, context),
  });
  const { KeyvSqlite } = require("@keyv/sqlite") as { KeyvSqlite: New<object> };
  const { Keyv } = require("keyv") as { Keyv: New<GivenKeyv> };
  hooks.deregister();
  const versionOf = (name: string): string => {
    const manifest = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
    return (JSON.parse(manifest) as { version: string }).version;
  };
  return {
    versions: [versionOf("@keyv/sqlite"), versionOf("keyv")],
    open: (file, busyTimeout) =>
      new Keyv({
        store: new KeyvSqlite({ uri: `sqlite://${file}`, ...(busyTimeout !== undefined && { busyTimeout }) }),
        throwOnErrors: true,
      }),
  };
}
