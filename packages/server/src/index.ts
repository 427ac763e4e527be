export type { Answer } from "./answer.ts";
export { type App, type AppOptions, createApp } from "./app.ts";
export type { CorsOptions } from "./cors.ts";
export type { ClientInfo } from "./ingress.ts";
export { type ClientLimits, listen, type Listening, type ListenOptions } from "./node.ts";
export { clientOf, type NodeListener, type NodeListenerOptions, toNodeListener } from "./node-listener.ts";
export type { RateLimitOptions } from "./rate-limit.ts";
