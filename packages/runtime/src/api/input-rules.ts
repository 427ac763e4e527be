import { checkInput, rule, type Rule, type Rules } from "../model/rules.ts";
import type { CodeInput } from "../components/contract.ts";
import type { Page } from "../model/model.ts";
import type {
  AccountChange,
  AutoSubscriptionInput,
  DeployInput,
  DynamicPropsInput,
  InvokeInput,
  NewAccount,
  NewUser,
  NewWebhook,
  PublishInput,
  SubscriptionInput,
  UpdateInput,
  WebhookChange,
} from "./api.ts";
import type { EventPage, EventRange, EventsFilter, RuntimeEventsFilter } from "./events-api.ts";
import type { WorkflowInput } from "./workflow-api.ts";

/** Members whose values are checked where they are used, which has errors of its own. */
const { any, flag, fn, positive } = rule;

const text = rule.of("a text", (value) => typeof value === "string");
const props: Rule = rule.object("an object of props by their names");
const reference = { componentId: text, key: text, code: text, url: text, file: text, root: text };
const at = { after: any, before: any };
const limit = rule.of("an integer of at least 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const webhook: Rules<NewWebhook> = { url: any, name: any, description: any, format: any };
const billing: Rule = rule.object("a start and a later end in epoch milliseconds", {
  periodStart: any,
  periodEnd: any,
});
const heard: Rules<EventsFilter> = {
  sourceId: text,
  after: any,
  onGap: fn,
  stream: rule.oneOf("emits", "$errors", "$logs"),
  name: text,
  apiKey: rule.secret(text),
  backlog: positive,
  signal: any,
};

const deploy: Rules<DeployInput> = {
  ...reference,
  name: text,
  props,
  emitOnDeploy: flag,
  settings: any,
  dynamicPropsId: text,
  webhookUrl: any,
};
const update: Rules<UpdateInput> = {
  ...reference,
  name: text,
  active: flag,
  props,
  settings: any,
  replace: flag,
  ignoreHookErrors: flag,
  dynamicPropsId: text,
};
const removal: Rules<{ ignoreHookErrors: boolean }> = { ignoreHookErrors: flag };
const invocation: Rules<InvokeInput> = { event: any, httpProp: text, wait: flag, force: flag };
const code: Rules<Record<"code" | "url" | "file" | "root", CodeInput>> = {
  code: text,
  url: text,
  file: text,
  root: text,
};
const question = {
  id: text,
  sourceId: text,
  propName: any,
  configuredProps: props,
  page: any,
  prevContext: any,
  query: text,
  dynamicPropsId: text,
};
const dynamicProps: Rules<DynamicPropsInput> = { id: text, configuredProps: props, dynamicPropsId: text };
const workflow: Rules<WorkflowInput> = {
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
const page: Rules<Page> = { limit, ...at, bytes: positive };
const eventPage: Rules<EventPage> = {
  ...page,
  name: text,
  wholeBytes: limit,
  admit: fn,
  onlyKnown: flag,
};
const range: Rules<EventRange> = { start: any, end: any };
const subscription: Rules<SubscriptionInput> = { emitterId: text, listenerId: text, eventName: text };
const autoSubscription: Rules<AutoSubscriptionInput> = { eventName: text, listenerId: text };
const webhookChange: Rules<WebhookChange> = { ...webhook, active: flag };
const account: Rules<NewAccount> = { app: any, name: any, auth: any };
const accountChange: Rules<AccountChange> = { name: any, auth: any };
const user: Rules<NewUser> = { username: any, email: any, billing };
const publication: Rules<PublishInput> = { file: text, root: text, registry: text, force: flag };
const everybodyHeard: Rules<RuntimeEventsFilter> = { ...heard, everyUser: flag };

/** What methods are given. */
export type Given =
  | "deploy"
  | "update"
  | "removal"
  | "invocation"
  | "code"
  | "question"
  | "dynamicProps"
  | "workflow"
  | "page"
  | "eventPage"
  | "range"
  | "heard"
  | "everybodyHeard"
  | "subscription"
  | "autoSubscription"
  | "webhook"
  | "webhookChange"
  | "account"
  | "accountChange"
  | "user"
  | "publication"
  | "accountFilter"
  | "force"
  | "closing";

const rules: { readonly [what in Given]: Rules } = {
  deploy,
  update,
  removal,
  invocation,
  code,
  question,
  dynamicProps,
  workflow,
  page,
  eventPage,
  range,
  heard,
  everybodyHeard,
  subscription,
  autoSubscription,
  webhook,
  webhookChange,
  account,
  accountChange,
  user,
  publication,
  accountFilter: { app: text },
  force: { force: flag },
  closing: { drainMs: limit },
};

/** Refuses members that a method does not know, and values that cannot be meant, with `invalid_parameter`. */
export const checkGiven = (what: Given, given: unknown): void => checkInput(given as object, rules[what]);
