/** The rooms of the runtime: folders of `packages/runtime/src`, one for each capability, with their contents. */
export const rooms: { readonly [room: string]: string } = {
  api: "what embedders see: calls, events, workflows, options",
  model: "the nouns: component, source, event, listener, error; pure",
  process: "time, ids, hashes, lanes, child processes",
  invocation: "the line of one event: inbox, call, settle, commit; error records and masks",
  observe: "what happens, for observers and in numbers: hooks, counts, spans",
  timers: "schedules, cron, and the next tick of each source",
  http: "requests to a source's endpoint, and their answers",
  webhooks: "webhooks, their deliveries, attempts, signatures and dead letters",
  subscriptions: "which sources and webhooks get an event",
  sources: "changes of a source (deploy, update, delete), their hooks and their recovery",
  components: "from code to a component: bundle, imports, shape, props",
  workflows: "workflows: steps joined into one bundle, run as a source",
  accounts: "connected accounts, their credentials, and how they are connected and renewed",
  projects: "what each project of a user has made",
  oauth: "OAuth 2: known services, the protocol by its library, when tokens are renewed",
  users: "users, API keys, permissions",
  events: "events: live, stored, resumed",
  executions: "stored executions: their records, bounds, reads and replays",
  "test-file": "the text of a test that repeats a run",
  registry: "watched folders of components",
  packages: "npm packages: resolve, install, evict",
  nodes: "several nodes on one store: which slots are here, calls of other nodes, coherent caches",
  network: "egress: the only way out of the process",
  store: "durable state: SQLite, memory, Keyv",
  guest: "code inside the sandbox: the prelude, Web globals, Node's modules",
  sandbox: "runs code of components: threads, machines, engines",
};

/** Files outside of the rooms, which construct and connect; they may import everything. */
export const compositionRoot: readonly string[] = ["assembly", "engine", "index", "loaders", "runtime", "user-runtime"];
