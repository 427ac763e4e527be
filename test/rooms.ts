/** The rooms of the runtime: folders of `packages/runtime/src`, one for each capability, with what is kept there. */
export const rooms: { readonly [room: string]: string } = {
  api: "what embedders see: calls, events, workflows, options",
  model: "the nouns: component, source, event, listener, error; pure",
  process: "what a process gives: time, ids, hashes, one job after the other, other processes",
  invocation: "one event: waits in the inbox, is called, settled, committed; what becomes of failures",
  timers: "schedules, cron, and the next tick of each source",
  http: "requests to a source's endpoint, and their answers",
  webhooks: "webhooks, their deliveries, attempts, signatures and dead letters",
  subscriptions: "who hears of an event: sources and webhooks",
  sources: "deploy, update, delete: changes of a source, their hooks and their recovery",
  components: "code to a component: bundle, imports, shape, props",
  workflows: "steps to one bundle; workflows as sources",
  accounts: "what connected accounts give to components",
  users: "who may do what",
  events: "what happened: live, stored, resumed",
  registry: "folders of components, watched",
  packages: "npm packages: resolved, installed, evicted",
  network: "the one way out",
  store: "what lasts: SQLite, memory, Keyv",
  guest: "the code inside the sandbox",
  sandbox: "components' code in threads, machines and engines",
};

/** Files beside the rooms, which construct and connect; they may import everything. */
export const compositionRoot: readonly string[] = [
  "assembly",
  "engine",
  "guarded-observer",
  "index",
  "loaders",
  "runtime",
  "user-runtime",
];
