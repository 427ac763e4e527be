import { getCompileCacheDir } from "node:module";

/** The only place where x reads environment variables. */
export const environment: {
  readonly apiKey: string | undefined;
  readonly secretKey: string | undefined;
  readonly newSecretKey: string | undefined;
  readonly registry: string | undefined;
  readonly npmRegistry: string | undefined;
  readonly url: string | undefined;
} = Object.freeze({
  apiKey: process.env["X_API_KEY"] || undefined,
  secretKey: process.env["X_SECRET_KEY"] || undefined,
  newSecretKey: process.env["X_NEW_SECRET_KEY"] || undefined,
  registry: process.env["X_REGISTRY"] || undefined,
  npmRegistry: process.env["npm_config_registry"] || undefined,
  url: process.env["X_URL"] || undefined,
});

/** The environment of a program that x starts: compiled modules are kept for it where they are kept for x. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const kept = getCompileCacheDir();
  return { ...(kept !== undefined && { NODE_COMPILE_CACHE: kept }), ...process.env };
}
