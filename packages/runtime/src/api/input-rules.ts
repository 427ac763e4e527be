import { checkInput, rule, type DeliveryPage, type ListFilter, type Page, type Rule, type Rules } from "@x/model";
import type { CodeInput, PublishInput } from "@x/components";
import type { AppEndpointInput } from "./app-events-api.ts";
import type { AccountChange, AccountFilter, ConnectInput, NewAccount, NewApp, NewOAuthClient } from "@x/accounts";
import type {
  AutoSubscriptionInput,
  DeployInput,
  EndpointRequest,
  InvokeInput,
  NewUser,
  NewWebhook,
  ProjectInput,
  SourceFilter,
  SubscriptionInput,
  UpdateInput,
  WebhookChange,
  WebhookFilter,
} from "./api.ts";
import type { EventPage, EventRange, EventsFilter, NewestEventsQuery, RuntimeEventsFilter } from "./events-api.ts";
import type { ExecutionPage, ExecutionsFilter, ExecutionTestInput, ReplayInput } from "./executions-api.ts";
import type { WorkflowInput } from "./workflow-api.ts";

/** Rules of method inputs. `any`: the code that uses the value checks it, with its own errors. */
const { any, flag, fn, positive } = rule;

const text = rule.of("a text", (value) => typeof value === "string");
const props: Rule = rule.object("an object of props by their names");
const texts = rule.of(
  "an object of texts by their names",
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === "string"),
);
const reference = {
  componentId: text,
  key: text,
  code: text,
  files: texts,
  entry: text,
  url: text,
  file: text,
  root: text,
};
const at = { after: any, before: any };
const limit = rule.count;
export const webhook: Rules<NewWebhook> = { url: any, name: any, description: any, format: any };
const billing: Rule = rule.object("a start and a later end in epoch milliseconds", {
  periodStart: any,
  periodEnd: any,
});
export const eventsFilter: Rules<EventsFilter> = {
  sourceId: text,
  after: any,
  onGap: fn,
  stream: rule.oneOf("emits", "$errors", "$logs"),
  name: text,
  apiKey: rule.secret(text),
  backlog: positive,
  signal: any,
};

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");
const isTextsByName = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isTexts);
const propTexts = rule.of("an object of lists of texts by prop", isTextsByName);
export const deploy: Rules<DeployInput> = {
  ...reference,
  name: text,
  props,
  propTexts,
  ifExists: rule.oneOf("add", "update"),
  accounts: texts,
  emitOnDeploy: flag,
  settings: any,
  dynamicPropsId: text,
  webhookUrl: any,
  restored: rule.object("an object with db and dedupeIds", {
    db: rule.object("an object of values by their keys"),
    dedupeIds: rule.of("an object of lists of texts by channel", isTextsByName),
  }),
};
export const update: Rules<UpdateInput> = {
  ...reference,
  name: text,
  active: flag,
  props,
  propTexts,
  accounts: texts,
  settings: any,
  replace: flag,
  ignoreHookErrors: flag,
  dynamicPropsId: text,
};
export const removal: Rules<{ ignoreHookErrors: boolean }> = { ignoreHookErrors: flag };
export const invocation: Rules<InvokeInput> = {
  event: any,
  tickAt: rule.of("epoch milliseconds", (value) => Number.isFinite(value)),
  httpProp: text,
  wait: flag,
  force: flag,
};
export const code: Rules<Record<"code" | "files" | "entry" | "url" | "file" | "root", CodeInput>> = {
  code: text,
  files: texts,
  entry: text,
  url: text,
  file: text,
  root: text,
};
export const question: Rules = {
  id: text,
  sourceId: text,
  propName: any,
  configuredProps: props,
  page: any,
  prevContext: any,
  query: text,
  dynamicPropsId: text,
};
export const dynamicProps: Rules = { id: text, sourceId: text, configuredProps: props, dynamicPropsId: text };
export const workflow: Rules<WorkflowInput> = {
  id: any,
  name: any,
  trigger: any,
  settings: any,
  file: any,
  root: any,
  code: any,
  steps: any,
  handler: any,
};
export const page: Rules<Page> = { limit, ...at, bytes: positive };
export const eventPage: Rules<EventPage> = {
  ...page,
  name: text,
  wholeBytes: limit,
  admit: fn,
  onlyKnown: flag,
};
export const newestEvents: Rules<NewestEventsQuery> = { sourceId: text, limit: positive, matches: fn, admit: fn };
const status = rule.oneOf("ok", "error", "timeout", "out_of_memory", "failed");
const executionId = rule.of("an execution id", (value) => typeof value === "string" && /^[0-9A-Za-z]{27}$/.test(value));
export const executionPage: Rules<ExecutionPage> = {
  limit,
  after: executionId,
  before: executionId,
  status,
  since: rule.of("epoch milliseconds", (value) => Number.isFinite(value)),
  text,
  trigger: rule.oneOf("TIMER", "HTTP", "SUBSCRIPTION", "MANUAL", "HOOK", "APP"),
  minMs: rule.of("milliseconds", (value) => Number.isFinite(value)),
  events: rule.oneOf("emitted", "none", "dropped"),
};
export const deliveryPage: Rules<DeliveryPage> = { ...page, status: rule.oneOf("pending", "delivered", "dead") };
export const executionsFilter: Rules<ExecutionsFilter> = {
  sourceId: text,
  after: executionId,
  onGap: fn,
  apiKey: rule.secret(text),
  backlog: positive,
  signal: any,
};
export const executionTest: Rules<ExecutionTestInput> = { component: text };
export const project: Rules<ProjectInput> = { revision: rule.count, resources: any };
export const replay: Rules<ReplayInput> = { event: any, wait: flag };
export const range: Rules<EventRange> = { start: any, end: any };
export const subscription: Rules<SubscriptionInput> = { emitterId: text, listenerId: text, eventName: text };
export const autoSubscription: Rules<AutoSubscriptionInput> = { eventName: text, listenerId: text };
export const webhookChange: Rules<WebhookChange> = { ...webhook, active: flag };
const clientRules: Rules<NewOAuthClient> = {
  service: any,
  grant: any,
  clientId: any,
  clientSecret: rule.secret(any),
  issuer: any,
  authorizeUrl: any,
  tokenUrl: any,
  deviceUrl: any,
  revokeUrl: any,
  scopes: any,
  scopeSeparator: any,
  clientAuth: any,
  pkce: any,
  issInResponse: any,
  authorizeParams: rule.object("an object of texts"),
};
const clientRule: Rule = rule.object("an object with the client's id", clientRules);
export const account: Rules<NewAccount> = { app: any, name: any, auth: any };
export const accountChange: Rules<AccountChange> = { name: any, auth: any };
export const app: Rules<NewApp> = { app: any, oauth: clientRule, fields: any };
export const connecting: Rules<ConnectInput> = {
  app: text,
  accountId: text,
  name: any,
  fields: rule.secret(any),
  scopes: any,
  redirectUri: any,
  device: flag,
};
export const appEndpoint: Rules<AppEndpointInput> = {
  app: any,
  service: text,
  scheme: any,
  secret: rule.secret(any),
  code: any,
  allUsers: flag,
  header: any,
  query: any,
  prefix: any,
  algorithm: any,
  encoding: any,
  signed: any,
  timestamp: any,
  unit: any,
  tolerance: any,
  item: any,
  challenge: any,
  verify_token: rule.secret(any),
};
export const waiting: Rules<{ wait: boolean }> = { wait: flag };
export const user: Rules<NewUser> = { username: any, email: any, billing };
export const publication: Rules<PublishInput> = { file: text, root: text, registry: text, force: flag };
export const runtimeEventsFilter: Rules<RuntimeEventsFilter> = { ...eventsFilter, everyUser: flag };
export const listFilter: Rules<ListFilter> = { text };
export const accountFilter: Rules<AccountFilter> = { ...listFilter, app: text };
export const sourceFilter: Rules<SourceFilter> = {
  ...accountFilter,
  status: rule.oneOf("active", "paused", "failing"),
};
export const webhookFilter: Rules<WebhookFilter> = {
  ...listFilter,
  status: rule.oneOf("failing", "dead", "pending", "paused"),
};
export const force: Rules<{ force: boolean }> = { force: flag };
export const endpointRequest: Rules<EndpointRequest> = {
  method: text,
  path: text,
  target: text,
  httpVersion: text,
  url: text,
  search: text,
  headers: rule.of("a list of names with their values", Array.isArray),
  body: rule.of("a Uint8Array", (value) => value instanceof Uint8Array),
  clientIp: text,
};
export const closing: Rules<{ drainMs: number }> = { drainMs: limit };

/** Refuses unknown members, and values of a wrong type, with `invalid_parameter`. */
export const checkGiven = (rules: Rules, given: unknown): void => checkInput(given as object, rules);
