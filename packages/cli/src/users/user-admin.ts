import type { UserEntry, UserWithKey } from "@x/client";
import { createRuntime, type RuntimeOptions } from "@x/runtime";
import { createApp } from "@x/server";

import { hasData } from "../arguments/path.ts";
import { createRestClient, type RestClient } from "../client/rest-client.ts";
import { openClient } from "../client/service-flags.ts";
import { environment } from "../environment.ts";
import { EnvironmentError, ServiceError, UsageError } from "../errors.ts";
import type { storeOptions } from "../serve/open-store.ts";

export type NewListedUser = Pick<UserEntry, "username"> & Partial<Omit<UserEntry, "id" | "username" | "created_at">>;

/** Manages the users of a running service, or of a data folder or schema that no process has open. */
export interface UserAdmin extends AsyncDisposable {
  /** The first user, when this call created the data folder. */
  readonly firstUser: Pick<UserWithKey, "id" | "username" | "api_key"> | undefined;
  list(): Promise<readonly UserEntry[]>;
  add(user: NewListedUser): Promise<UserWithKey>;
  rotate(name: string): Promise<UserWithKey>;
}

/** The requests, with the API key of the first user. */
function createAdmin({ where, ask }: RestClient): Omit<UserAdmin, keyof AsyncDisposable | "firstUser"> {
  async function list(): Promise<readonly UserEntry[]> {
    return ask("GET /users").catch((error: unknown) => {
      const hidden = error instanceof ServiceError && error.code === "not_found";
      throw hidden
        ? new UsageError(`only the first user of ${where} can manage users; this is the API key of another`)
        : error;
    });
  }

  return {
    list,
    async add(user) {
      // Fails first when the key is not that of the first user.
      await list();
      return ask("POST /users", { body: user });
    },
    async rotate(name) {
      await list();
      return ask("POST /users/{id}/rotate_key", { path: { id: name } });
    },
  };
}

/** Manages the users of a running service. */
export const openServiceAdmin = (url: string, apiKey: string): UserAdmin => ({
  ...createAdmin(openClient(url, apiKey)),
  firstUser: undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** Users in a store that this process has open, with the same requests. */
async function openOwnAdmin(
  options: Pick<RuntimeOptions, "data" | "store" | "secretKey">,
  isNew: boolean,
): Promise<UserAdmin> {
  const runtime = await createRuntime({ ...options, workers: 1 });
  const app = createApp(runtime);
  const { id, username, apiKey } = (await runtime.user()).user;
  return {
    ...createAdmin(createRestClient("http://localhost", apiKey, (request) => app.fetch(request))),
    firstUser: isNew ? { id, username, api_key: apiKey } : undefined,
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}

/** Manages the users of a data folder. Rejects with `store_locked`. */
export async function openFolderAdmin(folder: string, mayCreate: boolean): Promise<UserAdmin> {
  const isNew = !hasData(folder);
  if (isNew && !mayCreate)
    throw new EnvironmentError(`there is no data in ${folder}; x serve creates it, or set --data to another folder`);
  const { secretKey } = environment;
  return openOwnAdmin({ data: folder, ...(secretKey !== undefined && { secretKey }) }, isNew);
}

/** Manages the users of a schema of PostgreSQL. Rejects with `store_locked`. */
export async function openStoreAdmin(
  { data: open, secretKey }: ReturnType<typeof storeOptions>,
  mayCreate: boolean,
): Promise<UserAdmin> {
  const store = await open();
  const isNew = (await store.users()).length === 0;
  if (isNew && !mayCreate) {
    await store.close();
    throw new EnvironmentError("there is no data in the schema; x serve --store creates it, or name another schema");
  }
  return openOwnAdmin({ store, secretKey }, isNew);
}
