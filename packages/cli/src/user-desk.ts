import { existsSync } from "node:fs";
import { join } from "node:path";

import { createRuntime, type ErrorCode, type ErrorDetails } from "@x/runtime";
import { createApp } from "@x/server";

import { environment } from "./environment.ts";
import { EnvironmentError, UsageError } from "./usage-error.ts";

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
export interface UserDesk extends AsyncDisposable {
  /** The first user, when the folder was made by this. */
  readonly made: Pick<KeyedUser, "id" | "username" | "api_key"> | undefined;
  list(): Promise<readonly ListedUser[]>;
  add(user: NewListedUser): Promise<KeyedUser>;
  rotate(name: string): Promise<KeyedUser>;
}

/** An error of the runtime behind a service, as the service told it; told further like one of a runtime in this process. */
class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(body: { readonly error: string; readonly code: ErrorCode; readonly details: ErrorDetails }) {
    super(body.error);
    this.code = body.code;
    this.details = body.details;
    Object.defineProperty(this, Symbol.for("@x/runtime/error"), { value: true });
  }
}

type Send = (request: Request) => Promise<Response>;
type Answer<T> = { readonly data: T } & ConstructorParameters<typeof Refusal>[0];

/** The three requests, by the key of the first user. */
function createDesk(where: string, apiKey: string, send: Send): Omit<UserDesk, keyof AsyncDisposable | "made"> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

  async function ask<T>(method: string, path: string, body?: object): Promise<T> {
    const init = { method, headers, redirect: "manual" as const, ...(body && { body: JSON.stringify(body) }) };
    const response = await send(new Request(`${where}/v1${path}`, init));
    const answer = (await response.json().catch(() => undefined)) as Answer<T> | undefined;
    if (response.ok && answer?.data !== undefined) return answer.data;
    if (response.status === 401) throw new UsageError(`${where} does not know this API key`);
    if (typeof answer?.code !== "string") throw new EnvironmentError(`what answers at ${where} is no service of x`);
    throw new Refusal(answer);
  }

  async function list(): Promise<readonly ListedUser[]> {
    return ask<readonly ListedUser[]>("GET", "/users").catch((error: unknown) => {
      const hidden = error instanceof Refusal && error.code === "not_found";
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
      return ask("POST", `/users/${encodeURIComponent(name)}/rotate_key`);
    },
  };
}

/** The users of a running service. */
export function openServiceDesk(url: string, apiKey: string): UserDesk {
  const send: Send = (request) =>
    fetch(request).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new EnvironmentError(`no service answers at ${url}${reason === "" ? "" : `: ${reason}`}`);
    });
  const where = url.replace(/\/v1$/, "");
  return { ...createDesk(where, apiKey, send), made: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** The users of a data folder, through the same requests within this process. Rejects with `store_locked`. */
export async function openFolderDesk(folder: string, mayMake: boolean): Promise<UserDesk> {
  const isNew = !existsSync(join(folder, "x.db"));
  if (isNew && !mayMake)
    throw new EnvironmentError(`there is no data in ${folder}; x serve makes it, and --data names another folder`);
  const { secretKey } = environment;
  const runtime = await createRuntime({ data: folder, workers: 1, ...(secretKey !== undefined && { secretKey }) });
  const app = createApp(runtime);
  const { id, username, apiKey } = (await runtime.user()).user;
  return {
    ...createDesk("http://localhost", apiKey, (request) => app.fetch(request)),
    made: isNew ? { id, username, api_key: apiKey } : undefined,
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}
