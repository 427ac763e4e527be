/** The packages, each with what it is; its README says more. */
export const packages: { readonly [name: string]: string } = {
  types: "what authors write, typed",
  client: "the REST interface for programs: typed requests, event streams, verified deliveries",
  model: "the nouns: component, source, event, listener, error; ids, limits, clock, lanes",
  sandbox: "runs untrusted code: the guest's platform, machines, threads, the pool",
  store: "durable state: the contract, SQLite, memory, sealing, moving",
  components: "from code to a component: bundle, imports, npm packages, props, registry",
  accounts: "who a component acts as at a service: connected accounts, OAuth 2, renewals",
  runtime: "the line of one event and what hangs on it; the interface of embedders",
  testing: "the harness of authors",
  inspector: "the pages of the inspector, as files",
  http: "HTTP on Node, within bounds: bodies, budgets, answers, slow clients",
  resources: "what REST shows: the schema of each resource, and how it is made from what the runtime has",
  server: "REST: routes, streams, documents, the inspector's sessions",
  postgres: "the store in PostgreSQL, and several nodes on it",
  cli: "the command `x`",
  create: "`npm create @x`, which is `x new`",
};

/** What each package may import from the workspace. */
export const importsOfPackages: { readonly [name: string]: readonly string[] } = {
  types: [],
  client: [],
  model: [],
  sandbox: ["model"],
  store: ["model"],
  components: ["model", "sandbox", "store"],
  accounts: ["model", "sandbox", "store"],
  runtime: ["model", "sandbox", "store", "components", "accounts"],
  testing: ["types", "runtime"],
  inspector: ["client"],
  http: ["runtime"],
  resources: ["client", "runtime", "http"],
  server: ["client", "runtime", "inspector", "http", "resources"],
  postgres: ["runtime"],
  cli: ["client", "model", "server", "runtime", "postgres"],
  create: ["cli"],
};

/** The rooms of the runtime: folders of `packages/runtime/src`, one for each capability, with their contents. */
export const rooms: { readonly [room: string]: string } = {
  api: "what embedders see: calls, events, workflows, options",
  invocation: "the line of one event: inbox, call, settle, commit; error records and masks",
  observe: "what happens, for observers and in numbers: hooks, counts, spans",
  timers: "schedules, cron, and the next tick of each source",
  http: "requests to a source's endpoint, and their answers",
  "app-events": "endpoints of apps, and which sources get an event of an app",
  signatures: "how requests prove who sent them: schemes as rows of data, verification, handshakes",
  webhooks: "webhooks, their deliveries, attempts, signatures and dead letters",
  subscriptions: "which sources and webhooks get an event",
  sources: "changes of a source (deploy, update, delete), their hooks and their recovery",
  workflows: "workflows: steps joined into one bundle, run as a source",
  "data-stores": "values that the sources of a user share: as a run sees them, and outside of runs",
  projects: "what each project of a user has made",
  users: "users, API keys, permissions",
  events: "events: live, stored, resumed",
  executions: "stored executions: their records, bounds, reads and replays",
  "test-file": "the text of a test that repeats a run",
  nodes: "several nodes on one store: which slots are here, calls of other nodes, coherent caches",
  network: "egress: the only way out of the process",
};

/** Files outside of the rooms, which construct and connect; they may import everything. */
export const compositionRoot: readonly string[] = [
  "assembly",
  "engine",
  "errors",
  "index",
  "loaders",
  "prestart",
  "runtime",
  "store",
  "user-runtime",
];
