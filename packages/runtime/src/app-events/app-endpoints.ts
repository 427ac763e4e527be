import type {
  AppEndpointDetail,
  AppEndpointInput,
  AppEndpointView,
  AppEventInput,
  AppEventResult,
} from "../api/app-events-api.ts";
import { createDispatcher, newEndpointKey, XError, type AppEndpoint, type Clock } from "@x/model";
import type { Store } from "@x/store";
import { validateApp } from "@x/accounts";
import { readVerification, type VerificationInput } from "../signatures/verification-input.ts";
import { ownerOfEndpoint } from "./answer-app.ts";
import { createAppEndpointViews } from "./app-endpoint-views.ts";
import { readEvents } from "./app-event.ts";
import type { AppEvents } from "./app-events.ts";
import type { Readers } from "./reader.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { AppService } from "./services/service.ts";
import { appServices, findAppService, serviceOfApp } from "./services/table.ts";

export interface AppEndpointsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly appEvents: AppEvents;
  readonly readers: Readers;
  readonly log: RequestLog;
  endpointUrl(key: string): string;
  /** The user who owns the service. */
  firstUserId(): string;
  /** Resolves when this node takes part. */
  ready(): Promise<void>;
}

/** The endpoints of apps. */
export interface AppEndpoints {
  /** Rejects with `invalid_parameter`, and for code as a deploy does. */
  put(input: AppEndpointInput, userId: string): Promise<AppEndpointView>;
  /** Rejects with `not_found`. */
  get(app: string, userId: string): Promise<AppEndpointDetail>;
  list(userId: string): Promise<readonly AppEndpointView[]>;
  delete(app: string, userId: string): Promise<void>;
  /** Gives the endpoint another URL; the old one is gone at once. */
  rotate(app: string, userId: string): Promise<AppEndpointView>;
  /** Where the events of a user's app arrive: at an endpoint of theirs, or one that addresses all users. */
  arrivalOf(app: string, userId: string): Promise<{ readonly url: string | null; readonly isSet: boolean }>;
  /** Stores events as a request of the service does. */
  send(
    app: string,
    events: readonly AppEventInput[],
    force: boolean,
    userId: string,
  ): Promise<readonly AppEventResult[]>;
}

const longestCode = 256 * 1024;

const refuse = (parameter: string, expected: string, got: string): never => {
  throw new XError("invalid_parameter", [parameter, expected, got], { details: { parameter } });
};

const names = appServices.map(({ name }) => name);

function serviceFor({ service, app, scheme, code }: AppEndpointInput): AppService | undefined {
  if (service !== undefined)
    return findAppService(service) ?? refuse("service", `one of ${names.join(", ")}`, "another");
  const known = serviceOfApp(app);
  if (!known && scheme === undefined)
    refuse(
      "service",
      `one of ${names.join(", ")}, or a scheme and code: no service of app ${app} is built in`,
      "nothing",
    );
  if (!known && code === undefined)
    refuse("code", `the code of a reader, or a service of ${names.join(", ")}`, "nothing");
  return known;
}

/** What an endpoint is set to. Throws `invalid_parameter`, and for code as a deploy does. */
async function readEndpoint(
  input: AppEndpointInput,
  before: AppEndpoint | undefined,
  { isFirstUser, readers }: { readonly isFirstUser: boolean; readonly readers: Readers },
): Promise<Pick<AppEndpoint, "slug" | "service" | "verification" | "reader" | "allUsers">> {
  const { app, service: _service, scheme, code, allUsers = false, ...rest } = input;
  const service = serviceFor(input);
  const given = { ...rest, scheme: scheme ?? service?.scheme ?? "" } as VerificationInput;
  const verification = readVerification(given, before?.verification);
  if (allUsers && !isFirstUser)
    refuse("all_users", "false: only the first user's endpoint can address accounts of all users", "true");
  if (code !== undefined && (typeof code !== "string" || code.length === 0 || code.length > longestCode))
    refuse("code", `the code of a reader of at most ${longestCode} characters`, "something else");
  const reader = code === undefined ? undefined : await readers.load(code);
  const isRead = service !== undefined && (reader === undefined || input.service !== undefined);
  return {
    slug: app,
    ...(isRead && { service: service.name }),
    verification,
    ...(reader && { reader }),
    allUsers,
  };
}

export function createAppEndpoints(parts: AppEndpointsParts): AppEndpoints {
  const { store, clock, readers } = parts;
  const lanes = createDispatcher();
  const views = createAppEndpointViews(parts);

  async function own(app: string, userId: string): Promise<AppEndpoint> {
    const endpoint = await store.appEndpoint(userId, app);
    if (!endpoint) throw new XError("not_found", ["endpoint of app", app, `set it up with x apps endpoint ${app}`]);
    return endpoint;
  }

  return {
    put: (input, userId) =>
      lanes.run(`${userId} ${input.app}`, async () => {
        const app = validateApp(input.app);
        const before = await store.appEndpoint(userId, app);
        const now = clock.now();
        const endpoint: AppEndpoint = {
          ...(await readEndpoint({ ...input, app }, before, { isFirstUser: parts.firstUserId() === userId, readers })),
          userId,
          key: before?.key ?? newEndpointKey(),
          createdAt: before?.createdAt ?? now,
          updatedAt: now,
        };
        await store.commit([{ op: "app_endpoint.put", endpoint }]);
        return views.show(endpoint);
      }),
    async get(app, userId) {
      return views.detail(await own(app, userId));
    },
    async list(userId) {
      return Promise.all((await store.appEndpoints(userId)).map(views.show));
    },
    delete: (app, userId) =>
      lanes.run(`${userId} ${app}`, async () => {
        const endpoint = await own(app, userId);
        await store.commit([
          { op: "app_endpoint.delete", userId, slug: app },
          { op: "requests.trim", owner: ownerOfEndpoint(endpoint), keep: 0 },
        ]);
      }),
    rotate: (app, userId) =>
      lanes.run(`${userId} ${app}`, async () => {
        const endpoint = { ...(await own(app, userId)), key: newEndpointKey(), updatedAt: clock.now() };
        await store.commit([{ op: "app_endpoint.put", endpoint }]);
        return views.show(endpoint);
      }),
    async arrivalOf(app, userId) {
      const own = await store.appEndpoint(userId, app);
      if (own) return { url: parts.endpointUrl(own.key), isSet: true };
      const first = parts.firstUserId();
      const shared = first === userId ? undefined : await store.appEndpoint(first, app);
      return { url: null, isSet: shared?.allUsers === true };
    },
    async send(app, events, force, userId) {
      await parts.ready();
      const slug = validateApp(app);
      const given = readEvents(events);
      return parts.appEvents.deliver({ app: slug, owner: userId, userId, events: given, verified: false, force });
    },
  };
}
