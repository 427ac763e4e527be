export type { Answer } from "./answer.ts";
export { type App, createApp } from "./app.ts";
export type { AppOptions } from "./app-options.ts";
export type { BudgetOptions } from "./budget/budgets.ts";
export type { CorsOptions } from "./cors.ts";
export type { ClientInfo } from "./ingress.ts";
export { type ClientLimits, listen, type Listening, type ListenOptions } from "./node.ts";
export { clientOf, type NodeListener, type NodeListenerOptions, toNodeListener } from "./node-listener.ts";
export type { RateLimitOptions } from "./rate-limit.ts";
