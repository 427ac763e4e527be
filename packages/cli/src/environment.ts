import { getCompileCacheDir } from "node:module";

const variable = (name: string): string | undefined => process.env[name] || undefined;

/** The environment variables of x; no other module reads them. Those of an env file are there once it is loaded. */
export const environment: {
  readonly apiKey: string | undefined;
  readonly secretKey: string | undefined;
  readonly newSecretKey: string | undefined;
  readonly registry: string | undefined;
  readonly store: string | undefined;
  readonly publicUrl: string | undefined;
  readonly fromApiKey: string | undefined;
  readonly npmRegistry: string | undefined;
  readonly packageManager: string | undefined;
  readonly url: string | undefined;
} = Object.freeze({
  get apiKey() {
    return variable("X_API_KEY");
  },
  get secretKey() {
    return variable("X_SECRET_KEY");
  },
  get newSecretKey() {
    return variable("X_NEW_SECRET_KEY");
  },
  get registry() {
    return variable("X_REGISTRY");
  },
  get store() {
    return variable("X_STORE");
  },
  get publicUrl() {
    return variable("X_PUBLIC_URL");
  },
  get fromApiKey() {
    return variable("X_FROM_API_KEY");
  },
  get npmRegistry() {
    // Yarn 1 sets its own default there, whatever .npmrc says.
    return variable("npm_config_user_agent")?.startsWith("yarn/1.") ? undefined : variable("npm_config_registry");
  },
  get packageManager() {
    return variable("npm_config_user_agent");
  },
  get url() {
    return variable("X_URL");
  },
});

/** The value of a variable that a user names, such as in `${ACME_TOKEN}`; an empty one is a value. */
export const namedVariable = (name: string): string | undefined => process.env[name];

/** Reads variables from a file into the environment of this process; those that are set already stay. Throws for a file that cannot be read. */
export const loadVariables = (file: string): void => process.loadEnvFile(file);

/** The environment of npm that is asked for the registry, which is not what a package manager has set there. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const { npm_config_registry: _registry, ...others } = process.env;
  return others;
}

/** The environment of a program that x starts: it shares the compile cache of x. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const cache = getCompileCacheDir();
  return { ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }), ...process.env };
}
