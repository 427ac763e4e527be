import { getCompileCacheDir } from "node:module";

/** The environment variables of x; no other module reads them. */
export const environment: {
  readonly apiKey: string | undefined;
  readonly secretKey: string | undefined;
  readonly newSecretKey: string | undefined;
  readonly registry: string | undefined;
  readonly store: string | undefined;
  readonly npmRegistry: string | undefined;
  readonly url: string | undefined;
} = Object.freeze({
  apiKey: process.env["X_API_KEY"] || undefined,
  secretKey: process.env["X_SECRET_KEY"] || undefined,
  newSecretKey: process.env["X_NEW_SECRET_KEY"] || undefined,
  registry: process.env["X_REGISTRY"] || undefined,
  store: process.env["X_STORE"] || undefined,
  npmRegistry: process.env["npm_config_registry"] || undefined,
  url: process.env["X_URL"] || undefined,
});

/** The environment of a program that x starts: it shares the compile cache of x. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return { ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }), ...process.env };
}
