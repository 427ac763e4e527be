import { type Logger, type ManualClock, XError } from "@x/runtime";

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

/** Every name that options have: a misspelled one would silently leave a default in force. */
const known: { readonly [Name in keyof Required<AppOptions>]: true } = {
  mountPath: true,
  bodyBytes: true,
  endpointBodyBytes: true,
  clock: true,
  streams: true,
  budgets: true,
  cors: true,
  rateLimit: true,
  logger: true,
};

function checkPositive(name: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1)) return;
  throw new XError("invalid_options", [name, "a positive integer", JSON.stringify(value)]);
}

function checkNames(prefix: string, given: object, names: object): void {
  const strange = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (strange === undefined) return;
  const expected = `one of ${Object.keys(names).join(", ")}`;
  throw new XError("invalid_options", [prefix + strange, expected, "an unknown name"]);
}

/** Refuses names that no option has, and numbers that bound nothing, with `invalid_options`. */
export function checkAppOptions(options: AppOptions): void {
  checkNames("", options, known);
  checkPositive("bodyBytes", options.bodyBytes);
  checkPositive("endpointBodyBytes", options.endpointBodyBytes);
  const budgets = options.budgets ?? {};
  checkNames("budgets.", budgets, defaultBudgets);
  for (const [name, bytes] of Object.entries(budgets)) checkPositive(`budgets.${name}`, bytes);
  checkPositive("streams.beatMs", options.streams?.beatMs);
  checkPositive("streams.backlog", options.streams?.backlog);
}
