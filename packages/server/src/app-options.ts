import { checkOptions, type Logger, type ManualClock, rule, type Rule, type Rules } from "@x/runtime";

import { type BudgetOptions, defaultBudgets } from "./budget/budgets.ts";
import type { CorsOptions } from "./cors.ts";
import type { RateLimitOptions } from "./rate-limit.ts";

export interface AppOptions {
  /** Path of the server around it that leads here, such as `/events`: it is taken off paths that begin with it. Default: none. */
  readonly mountPath?: string;
  /** Largest JSON body in bytes; default 1 MiB. */
  readonly bodyBytes?: number;
  /** Largest body of a request to an endpoint in bytes, at most `limits.httpBodyBytes` of the runtime; default: that. */
  readonly endpointBodyBytes?: number;
  /** The clock of the runtime, when it moves only by hand: `POST /v1/clock/advance` then moves it. */
  readonly clock?: ManualClock;
  /** Server-sent events: milliseconds between comments (default 15 000), most events that may wait for a client. */
  readonly streams?: { readonly beatMs?: number; readonly backlog?: number };
  /** Most bytes that are kept for clients that do not read or send them. */
  readonly budgets?: BudgetOptions;
  /** Lets pages of other origins call the interface; default: none. Endpoints of sources have rules of their own. */
  readonly cors?: CorsOptions;
  /** How often each API key and each endpoint may be used; default: without limit. */
  readonly rateLimit?: RateLimitOptions;
  /** Hears about failures whose cause callers do not see. */
  readonly logger?: Logger;
}

const origins: Rule = rule.of("a list of origins", Array.isArray);
const perSecond: Rule = rule.of("a positive number", (value) => Number.isFinite(value) && Number(value) > 0);

const corsRules: Rules<CorsOptions> = { origins };
const rateLimitRules: Rules<RateLimitOptions> = { perSecond, burst: rule.positive };
const streamRules: Rules<NonNullable<AppOptions["streams"]>> = { beatMs: rule.positive, backlog: rule.positive };
const budgetRules = Object.fromEntries(Object.keys(defaultBudgets).map((name) => [name, rule.positive]));

const rules: Rules<AppOptions> = {
  mountPath: rule.of("a path such as /events", (value) => typeof value === "string"),
  bodyBytes: rule.positive,
  endpointBodyBytes: rule.positive,
  clock: rule.having("now", "wakeAt", "advance"),
  streams: rule.object("an object with beatMs, backlog", streamRules),
  budgets: rule.object("an object of budgets", budgetRules),
  cors: rule.object("an object with origins", corsRules),
  rateLimit: rule.object("an object with perSecond, burst", rateLimitRules),
  logger: rule.having("info", "warn", "error"),
};

/** Refuses names that no option has, and values that cannot be meant, with `invalid_options`. */
export const checkAppOptions = (options: AppOptions): void => checkOptions(options, rules);
