import { createRuntime } from "@x/runtime";
import { createApp } from "@x/server";

import { hasData } from "../arguments/path.ts";
import { createRestClient, pathOf, type RestClient } from "../client/rest-client.ts";
import { openClient } from "../client/service-flags.ts";
import { environment } from "../environment.ts";
import { EnvironmentError, ServiceError, UsageError } from "../errors.ts";

/** A user as the REST interface shows it to the first user. */
export interface ListedUser {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly billing_period_start_ts?: number;
  readonly billing_period_end_ts?: number;
  readonly created_at: number;
}

/** With the key that was made just now. */
export interface KeyedUser extends ListedUser {
  readonly api_key: string;
}

export type NewListedUser = Omit<ListedUser, "id" | "email" | "created_at"> & { readonly email?: string };

/** Where users are managed: a running service, or a data folder that no process has. */
export interface UserAdmin extends AsyncDisposable {
  /** The first user, when the folder was made by this. */
  readonly made: Pick<KeyedUser, "id" | "username" | "api_key"> | undefined;
  list(): Promise<readonly ListedUser[]>;
  add(user: NewListedUser): Promise<KeyedUser>;
  rotate(name: string): Promise<KeyedUser>;
}

/** The three requests, by the key of the first user. */
function createAdmin({ where, ask }: RestClient): Omit<UserAdmin, keyof AsyncDisposable | "made"> {
  async function list(): Promise<readonly ListedUser[]> {
    return ask<readonly ListedUser[]>("GET", "/users").catch((error: unknown) => {
      const hidden = error instanceof ServiceError && error.code === "not_found";
      throw hidden ? new UsageError(`only the API key of the first user of ${where} manages users`) : error;
    });
  }

  return {
    list,
    async add(user) {
      // Tells first whether this key may.
      await list();
      return ask("POST", "/users", user);
    },
    async rotate(name) {
      await list();
      return ask("POST", `${pathOf("users", name)}/rotate_key`);
    },
  };
}

/** The users of a running service. */
export const openServiceAdmin = (url: string, apiKey: string): UserAdmin => ({
  ...createAdmin(openClient(url, apiKey)),
  made: undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** The users of a data folder, through the same requests within this process. Rejects with `store_locked`. */
export async function openFolderAdmin(folder: string, mayMake: boolean): Promise<UserAdmin> {
  const isNew = !hasData(folder);
  if (isNew && !mayMake)
    throw new EnvironmentError(`there is no data in ${folder}; x serve makes it, and --data names another folder`);
  const { secretKey } = environment;
  const runtime = await createRuntime({ data: folder, workers: 1, ...(secretKey !== undefined && { secretKey }) });
  const app = createApp(runtime);
  const { id, username, apiKey } = (await runtime.user()).user;
  return {
    ...createAdmin(createRestClient("http://localhost", apiKey, (request) => app.fetch(request))),
    made: isNew ? { id, username, api_key: apiKey } : undefined,
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}
