import { apiKey, type Data, type ErrorBody, type Reply, type Service } from "./fixture.ts";

/** One user of a service, with requests by its own key. */
export interface UserClient {
  readonly id: string;
  readonly username: string;
  readonly apiKey: string;
  call<T = ErrorBody>(method: string, path: string, body?: unknown): Promise<Reply<T>>;
  /** The data of an answer that must be 200. */
  data<T>(method: string, path: string, body?: unknown): Promise<T>;
}

/** A user in the list of users. */
export interface UserEntryBody {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly billing_period_start_ts?: number;
  readonly billing_period_end_ts?: number;
  readonly created_at: number;
}

export type UserWithKeyBody = UserEntryBody & { readonly api_key: string };

/** Requests by this key. */
export function clientOf(service: Service, user: Pick<UserWithKeyBody, "id" | "username" | "api_key">): UserClient {
  const { id, username, api_key: key } = user;
  const call: UserClient["call"] = (method, path, body) =>
    service.call(method, path, body, { authorization: `Bearer ${key}` });
  return {
    id,
    username,
    apiKey: key,
    call,
    async data<T>(method: string, path: string, body?: unknown): Promise<T> {
      const reply = await call<Data<T>>(method, path, body);
      if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body.data;
    },
  };
}

/** The first user, who manages the others. */
export async function firstUser(service: Service): Promise<UserClient> {
  const { body } = await service.call<Data<UserEntryBody>>("GET", "/users/me");
  return clientOf(service, { ...body.data, api_key: apiKey });
}

/** Adds a user over REST. */
export async function addUser(
  service: Service,
  input: { username: string; [field: string]: unknown },
): Promise<UserClient> {
  const first = await firstUser(service);
  return clientOf(service, await first.data<UserWithKeyBody>("POST", "/users", input));
}
