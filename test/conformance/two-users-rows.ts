/** Ids and names of one user's resources. */
export interface Names {
  readonly user: string;
  readonly component: string;
  readonly key: string;
  readonly source: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly dbKey: string;
  readonly workflow: string;
  readonly account: string;
  readonly app: string;
  readonly connection: string;
  /** Of that connection. */
  readonly state: string;
  readonly dynamicProps: string;
  readonly execution: string;
  readonly project: string;
  readonly dataStore: string;
}

/** A request of one user that names resources of another. */
export interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** `own`: resources of the requesting user, for requests that need some. */
type Attempts = (theirs: Names, own: Names) => readonly Attempt[];

/**
 * What a user gets from a route by names of another user's things.
 * foreign: 404, just as for names of nothing. own: the user's own things, whatever is named. first: for this user there is
 * no such path.
 */
export interface Row {
  readonly kind: "foreign" | "own" | "first";
  readonly attempts: Attempts;
}

const at = (method: string, path: string, body?: unknown): Attempt => ({
  method,
  path,
  ...(body !== undefined && { body }),
});
const cursor = (id: string): string => Buffer.from(id).toString("base64url");
const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();

const foreign = (attempts: Attempts): Row => ({ kind: "foreign", attempts });
const ownThings = (attempts: Attempts): Row => ({ kind: "own", attempts });
const firstOnly = (attempts: Attempts): Row => ({ kind: "first", attempts });

const ofSource = (method: string, rest = "", body?: unknown): Row =>
  foreign(({ source }) => [at(method, `/sources/${source}${rest}`, body)]);
const ofWebhook = (method: string, rest = "", body?: unknown): Row =>
  foreign(({ webhook }) => [at(method, `/webhooks/${webhook}${rest}`, body)]);
/** A list of the user's own resources, with a resource of another user as cursor. */
const ownList = (path: string, name: keyof Names): Row =>
  ownThings((theirs) =>
    ["", `?after=${cursor(theirs[name])}`, `?before=${cursor(theirs[name])}&limit=1`].map((page) =>
      at("GET", path + page),
    ),
  );

/** Deliveries of a webhook of another user, and of an own webhook with another user's delivery as cursor. */
const anyDelivery = (method: string, rest: string): Row =>
  foreign(({ webhook, delivery }, own) =>
    [webhook, own.webhook].map((id) => at(method, `/webhooks/${id}/deliveries/${delivery}${rest}`)),
  );

const ofWorkflow = (method: string, rest: string): Row =>
  foreign(({ workflow, source }) => [
    at(method, `/workflows/${workflow}${rest}`),
    // Each kind has its own path.
    at(method, `/workflows/${source}${rest}`),
  ]);

const streams = ["", "/$errors", "/$logs"] as const;
const eventRows = streams.flatMap((stream): [string, Row][] => [
  [`GET /sources/{id}${stream}/event_summaries`, ofSource("GET", `${stream}/event_summaries?expand=event`)],
  [`DELETE /sources/{id}${stream}/events`, ofSource("DELETE", `${stream}/events`)],
  [`GET /workflows/{id}${stream}/event_summaries`, ofWorkflow("GET", `${stream}/event_summaries?expand=event`)],
  [`DELETE /workflows/{id}${stream}/events`, ofWorkflow("DELETE", `${stream}/events`)],
]);

/** One row for every operation of the interface. */
export const rows: Readonly<Record<string, Row>> = {
  "GET /users/me": ownThings(() => [at("GET", "/users/me")]),
  "GET /users/me/activity": ownThings(() => [at("GET", "/users/me/activity")]),
  "GET /users": firstOnly(() => [at("GET", "/users")]),
  "POST /users": firstOnly(({ key }) => [at("POST", "/users", { username: `new-${key}` }), at("POST", "/users", {})]),
  "POST /users/{id}/rotate_key": firstOnly(({ user }, own) =>
    [user, own.user, "local"].map((id) => at("POST", `/users/${id}/rotate_key`)),
  ),
  "GET /nodes": firstOnly(() => [at("GET", "/nodes")]),
  "GET /clock": firstOnly(() => [at("GET", "/clock")]),
  "POST /clock/advance": firstOnly(() => [at("POST", "/clock/advance", { ms: 60_000 })]),

  "POST /components": ownThings(() => [
    at("POST", "/components", { component_code: 'export default { name: "New", version: "1", run() {} }' }),
  ]),
  "GET /components/{key}": foreign(({ component, key }) =>
    [component, key].map((name) => at("GET", `/components/${name}`)),
  ),
  "GET /components/registry": ownThings(() => [at("GET", "/components/registry")]),
  "GET /components/registry/{key}": foreign(({ component, key }) =>
    [component, key].map((name) => at("GET", `/components/registry/${name}`)),
  ),
  "POST /components/configure": foreign(({ component, key, dynamicProps }, own) => [
    ...[component, key].map((id) => at("POST", "/components/configure", { id, prop_name: "pick" })),
    at("POST", "/components/configure", { id: own.component, prop_name: "pick", dynamic_props_id: dynamicProps }),
  ]),
  "POST /components/props": foreign(({ component, key, dynamicProps }, own) => [
    ...[component, key].map((id) => at("POST", "/components/props", { id })),
    at("POST", "/components/props", { id: own.component, dynamic_props_id: dynamicProps }),
  ]),

  "GET /users/me/sources": ownList("/users/me/sources", "source"),
  "POST /sources": foreign(({ component, key, dynamicProps }, own) => [
    at("POST", "/sources", { component_id: component }),
    at("POST", "/sources", { key }),
    at("POST", "/sources", { component_id: own.component, dynamic_props_id: dynamicProps }),
  ]),
  "POST /sources/compare": foreign(({ component, key, dynamicProps }, own) => [
    at("POST", "/sources/compare", { component_id: component }),
    at("POST", "/sources/compare", { key }),
    at("POST", "/sources/compare", { component_id: own.component, dynamic_props_id: dynamicProps }),
  ]),
  "GET /sources/{id}": ofSource("GET"),
  "PUT /sources/{id}": foreign(({ source, component, key }, own) => [
    at("PUT", `/sources/${source}`, { component_id: own.component, active: false }),
    at("PUT", `/sources/${own.source}`, { component_id: component }),
    at("PUT", `/sources/${own.source}`, { key }),
  ]),
  "PATCH /sources/{id}": foreign(({ source, component, dynamicProps }, own) => [
    at("PATCH", `/sources/${own.source}`, { dynamic_props_id: dynamicProps }),
    at("PATCH", `/sources/${source}`, { name: "Mine", active: false }),
    at("PATCH", `/sources/${own.source}`, { component_id: component }),
  ]),
  "POST /sources/{id}/compare": foreign(({ source, component, dynamicProps }, own) => [
    at("POST", `/sources/${source}/compare`, { name: "Mine" }),
    at("POST", `/sources/${own.source}/compare`, { component_id: component }),
    at("POST", `/sources/${own.source}/compare`, { dynamic_props_id: dynamicProps }),
  ]),
  "DELETE /sources/{id}": foreign(({ source }) => [
    at("DELETE", `/sources/${source}`),
    at("DELETE", `/sources/${source}?ignore_hook_errors=true`),
  ]),
  "POST /sources/{id}/configure": foreign(({ source, dynamicProps }, own) => [
    at("POST", `/sources/${source}/configure`, { prop_name: "pick" }),
    at("POST", `/sources/${own.source}/configure`, { prop_name: "pick", dynamic_props_id: dynamicProps }),
  ]),
  "POST /sources/{id}/props": foreign(({ source, dynamicProps }, own) => [
    at("POST", `/sources/${source}/props`, {}),
    at("POST", `/sources/${own.source}/props`, { dynamic_props_id: dynamicProps }),
  ]),
  "POST /sources/{id}/reactivate": ofSource("POST", "/reactivate", {}),
  "POST /sources/{id}/run": ofSource("POST", "/run", { event: 7, force: true }),
  "POST /sources/{id}/event": ofSource("POST", "/event", { event: 7, wait: false }),
  ...Object.fromEntries(eventRows),
  "GET /asyncapi.json": ownThings(() => [at("GET", "/asyncapi.json")]),
  "GET /sources/{id}/event_schema": ofSource("GET", "/event_schema"),
  "GET /sources/{id}/logs": ofSource("GET", "/logs"),
  "GET /sources/{id}/sse": ofSource("GET", "/sse?replay=10"),
  "GET /users/me/workflows": ownList("/users/me/workflows", "workflow"),
  "GET /workflows/{id}": ofWorkflow("GET", ""),
  "GET /workflows/{id}/logs": ofWorkflow("GET", "/logs"),
  "GET /workflows/{id}/sse": ofWorkflow("GET", "/sse?replay=10"),
  "GET /logs": foreign(({ source, workflow }) => [source, workflow].map((id) => at("GET", `/logs?source_id=${id}`))),
  "GET /logs/stream": foreign(({ source, workflow }) =>
    [source, workflow].map((id) => at("GET", `/logs/stream?source_id=${id}`)),
  ),
  "GET /sources/{id}/executions": ofSource("GET", "/executions"),
  "GET /workflows/{id}/executions": ofWorkflow("GET", "/executions"),
  // Cursors are ids, also of executions that are no longer stored: another user's id is like one of those.
  "GET /executions": ownThings(() => [at("GET", "/executions?limit=100")]),
  "GET /executions/stream": foreign(({ source, workflow }) =>
    [source, workflow].map((id) => at("GET", `/executions/stream?source_id=${id}`)),
  ),
  "GET /executions/{id}": foreign(({ execution }) => [at("GET", `/executions/${execution}`)]),
  "GET /executions/{id}/test": foreign(({ execution }) => [at("GET", `/executions/${execution}/test`)]),
  "POST /executions/{id}/replay": foreign(({ execution }) => [
    at("POST", `/executions/${execution}/replay`, {}),
    at("POST", `/executions/${execution}/replay`, { event: 7, wait: false }),
  ]),
  "POST /sources/{id}/dedupe/reset": ofSource("POST", "/dedupe/reset"),
  "GET /sources/{id}/requests": ofSource("GET", "/requests"),
  "GET /sources/{id}/db": ofSource("GET", "/db"),
  "GET /sources/{id}/db/{key}": foreign(({ source, dbKey }, own) => [
    at("GET", `/sources/${source}/db/${dbKey}`),
    at("GET", `/sources/${own.source}/db/${dbKey}`),
  ]),
  "PUT /sources/{id}/db/{key}": foreign(({ source, dbKey }) => [
    at("PUT", `/sources/${source}/db/${dbKey}`, { value: "mine" }),
  ]),
  "DELETE /sources/{id}/db/{key}": foreign(({ source, dbKey }, own) => [
    at("DELETE", `/sources/${source}/db/${dbKey}`),
    at("DELETE", `/sources/${own.source}/db/${dbKey}`),
  ]),

  "GET /users/me/subscriptions": ownThings(() => [at("GET", "/users/me/subscriptions")]),
  "POST /subscriptions": foreign(({ source, webhook, workflow }, own) =>
    [
      { emitter_id: workflow, listener_id: own.source },
      { emitter_id: own.workflow, listener_id: workflow },
      { emitter_id: source, listener_id: own.webhook },
      { emitter_id: source, listener_id: own.source, event_name: "$errors" },
      { emitter_id: own.source, listener_id: webhook },
      { emitter_id: own.source, listener_id: source },
      { emitter_id: "dc_*", listener_id: webhook },
      { emitter_id: "p_*", listener_id: source },
      { emitter_id: source, listener_id: webhook },
    ].map((values) => at("POST", `/subscriptions?${query(values)}`)),
  ),
  "DELETE /subscriptions": foreign(({ source, webhook }, own) =>
    [
      { emitter_id: source, listener_id: webhook, event_name: "" },
      { emitter_id: source, listener_id: own.webhook, event_name: "" },
    ].map((values) => at("DELETE", `/subscriptions?${query(values)}`)),
  ),
  "GET /users/me/auto_subscriptions": ownThings(() => [at("GET", "/users/me/auto_subscriptions")]),
  "POST /auto_subscriptions": foreign(({ source, webhook, workflow }) =>
    [source, webhook, workflow].map((listener_id) =>
      at("POST", "/auto_subscriptions", { listener_id, event_name: "default" }),
    ),
  ),
  "DELETE /auto_subscriptions": foreign(({ source, webhook }) =>
    [source, webhook].map((listener_id) => at("DELETE", "/auto_subscriptions", { listener_id, event_name: "$errors" })),
  ),

  "POST /webhooks": ownThings(() => [at("POST", "/webhooks?url=https%3A%2F%2Fexample.test%2Fown")]),
  "GET /users/me/webhooks": ownList("/users/me/webhooks", "webhook"),
  "GET /webhooks/{id}": ofWebhook("GET"),
  "PUT /webhooks/{id}": ofWebhook("PUT", "", { url: "https://example.test/mine", active: false }),
  "DELETE /webhooks/{id}": ofWebhook("DELETE"),
  "POST /webhooks/{id}/rotate_key": ofWebhook("POST", "/rotate_key"),
  "POST /webhooks/{id}/redeliver": ofWebhook("POST", "/redeliver"),
  "GET /webhooks/{id}/deliveries": ofWebhook("GET", "/deliveries"),
  "GET /webhooks/{id}/deliveries/{delivery}": anyDelivery("GET", ""),
  "POST /webhooks/{id}/deliveries/{delivery}/redeliver": anyDelivery("POST", "/redeliver"),

  "POST /accounts": ownThings(() => [at("POST", "/accounts", { app: "acme", auth: {} })]),
  "GET /users/me/accounts": ownList("/users/me/accounts", "account"),
  "PUT /accounts/{id}": foreign(({ account }) => [at("PUT", `/accounts/${account}`, { auth: { token: "mine" } })]),
  "DELETE /accounts/{id}": foreign(({ account }) => [
    at("DELETE", `/accounts/${account}`),
    at("DELETE", `/accounts/${account}?force=true`),
  ]),

  "GET /users/me/data_stores": ownThings(() => [at("GET", "/users/me/data_stores")]),
  "GET /data_stores/{name}/values": foreign(({ dataStore }) => [at("GET", `/data_stores/${dataStore}/values`)]),
  "GET /data_stores/{name}/values/{key}": foreign(({ dataStore, dbKey }) => [
    at("GET", `/data_stores/${dataStore}/values/${dbKey}`),
  ]),
  "PUT /data_stores/{name}/values/{key}": ownThings(() => [at("PUT", "/data_stores/mine/values/k", { value: 1 })]),
  "DELETE /data_stores/{name}/values/{key}": foreign(({ dataStore, dbKey }) => [
    at("DELETE", `/data_stores/${dataStore}/values/${dbKey}`),
  ]),
  "DELETE /data_stores/{name}": foreign(({ dataStore }) => [at("DELETE", `/data_stores/${dataStore}`)]),
  "GET /users/me/projects": ownThings(() => [at("GET", "/users/me/projects")]),
  "GET /projects/{name}": foreign(({ project }) => [at("GET", `/projects/${project}`)]),
  "PUT /projects/{name}": ownThings(() => [at("PUT", "/projects/mine", { revision: 0, resources: [] })]),
  "DELETE /projects/{name}": foreign(({ project }) => [at("DELETE", `/projects/${project}`)]),
  "GET /users/me/apps": ownThings(() => [at("GET", "/users/me/apps")]),
  "GET /apps/services": ownThings(() => [at("GET", "/apps/services?include=name")]),
  "DELETE /apps/{app}": foreign(({ app }) => [at("DELETE", `/apps/${app}`)]),
  "POST /accounts/connect": foreign(({ app, account }) => [
    at("POST", "/accounts/connect", { app }),
    at("POST", "/accounts/connect", { account_id: account }),
  ]),
  // Apps have the slugs of their user.
  "PUT /apps/{app}": ownThings(({ app }) => [at("PUT", `/apps/${app}`, { fields: [{ name: "mine" }] })]),
  "PUT /apps/{app}/endpoint": ownThings(({ app }) => [
    at("PUT", `/apps/${app}/endpoint`, { service: "slack", secret: "mine" }),
  ]),
  "GET /apps/{app}/endpoint": foreign(() => [at("GET", "/apps/theirs/endpoint")]),
  "DELETE /apps/{app}/endpoint": foreign(() => [at("DELETE", "/apps/theirs/endpoint")]),
  "POST /apps/{app}/endpoint/rotate": foreign(() => [at("POST", "/apps/theirs/endpoint/rotate")]),
  "POST /apps/{app}/events": ownThings(({ app }) => [
    at("POST", `/apps/${app}/events`, { events: [{ names: ["theirs"], data: {} }] }),
  ]),
  "GET /accounts/connect/{id}": foreign(({ connection }) => [
    at("GET", `/accounts/connect/${connection}`),
    at("GET", `/accounts/connect/${connection}?wait=true`),
  ]),
  "POST /accounts/connect/complete": foreign(({ state }) => [
    at("POST", "/accounts/connect/complete", { url: `http://127.0.0.1/callback?code=c&state=${state}` }),
  ]),
};
