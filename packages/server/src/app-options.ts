import { checkOptions, type Logger, type ManualClock, type PinoLike, rule, type Rule, type Rules } from "@x/runtime";

import { type BudgetOptions, defaultBudgets } from "./budget/memory-budgets.ts";
import type { InspectorOptions } from "./inspector/inspector.ts";
import type { CorsOptions, RateLimitOptions } from "@x/http";

export interface AppOptions {
  /** Path of the surrounding server where the app is mounted, such as `/events`; the app removes it from URLs. Default: none. */
  readonly mountPath?: string;
  /** Largest JSON body in bytes. Default: 1 MiB. */
  readonly bodyBytes?: number;
  /** Largest body of a request to an endpoint in bytes. Default and maximum: `limits.httpBodyBytes` of the runtime. */
  readonly endpointBodyBytes?: number;
  /** The runtime's clock, if it is a manual one: adds `POST /v1/clock/advance`. */
  readonly clock?: ManualClock;
  /** Server-sent events: milliseconds between keep-alive comments (default 15,000), and the most events queued for a client. */
  readonly streams?: { readonly beatMs?: number; readonly backlog?: number };
  /** Most bytes reserved for slow clients. */
  readonly budgets?: BudgetOptions;
  /** Allows pages of other origins to call the REST interface. Default: none. Components decide for their endpoints. */
  readonly cors?: CorsOptions;
  /** Limits requests per user and per endpoint. Default: unlimited. */
  readonly rateLimit?: RateLimitOptions;
  /** Serves the inspector, a web application, at `/`, with `POST /v1/sessions` for its sign-in. Default: false. */
  readonly inspector?: boolean | InspectorOptions;
  /** Receives failures whose cause is hidden from callers. */
  readonly logger?: Logger | PinoLike;
}

const origins: Rule = rule.of("a list of origins", Array.isArray);
const perSecond: Rule = rule.of("a positive number", (value) => Number.isFinite(value) && Number(value) > 0);

const corsRules: Rules<CorsOptions> = { origins };
const rateLimitRules: Rules<RateLimitOptions> = { perSecond, burst: rule.positive };
const streamRules: Rules<NonNullable<AppOptions["streams"]>> = { beatMs: rule.positive, backlog: rule.positive };
const budgetRules = Object.fromEntries(Object.keys(defaultBudgets).map((name) => [name, rule.positive]));

const hosts: Rule = rule.of(
  "a list of host names",
  (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
);
const inspectorRules: Rules<InspectorOptions> = { hosts };
const inspector: Rule = {
  expected: "true, false, or an object with hosts",
  fits: (value) => typeof value === "boolean" || (typeof value === "object" && value !== null),
  members: inspectorRules,
};

const rules: Rules<AppOptions> = {
  mountPath: rule.of("a path such as /events", (value) => typeof value === "string"),
  bodyBytes: rule.positive,
  endpointBodyBytes: rule.positive,
  clock: rule.having("now", "wakeAt", "advance"),
  streams: rule.object("an object with beatMs, backlog", streamRules),
  budgets: rule.object("an object of budgets", budgetRules),
  cors: rule.object("an object with origins", corsRules),
  rateLimit: rule.object("an object with perSecond, burst", rateLimitRules),
  inspector,
  logger: rule.having("info", "warn", "error"),
};

/** Throws `invalid_options` for unknown options and invalid values. */
export const checkAppOptions = (options: AppOptions): void => checkOptions(options, rules);
