export {
  clientOf,
  listen,
  toNodeListener,
  type Answer,
  type ClientInfo,
  type ClientLimits,
  type CorsOptions,
  type Handler,
  type Listening,
  type ListenOptions,
  type NodeListener,
  type NodeListenerOptions,
  type RateLimitOptions,
} from "@x/http";
export { type App, createApp } from "./app.ts";
export type { AppOptions } from "./app-options.ts";
export type { BudgetOptions } from "./budget/memory-budgets.ts";
export type { InspectorOptions } from "./inspector/inspector.ts";
export { createMetrics, type Metrics } from "./metrics/metrics.ts";
export { createMetricsApp, type MetricsAppOptions } from "./metrics/metrics-app.ts";
