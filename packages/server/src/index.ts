export type { Answer } from "./answer.ts";
export { type App, type AppOptions, createApp } from "./app.ts";
export type { ClientInfo } from "./ingress.ts";
export { listen, type Listening, type ListenOptions } from "./node.ts";
