export { acceptedCoding } from "./accepted-coding.ts";
export {
  type Answer,
  bodyBytes,
  emptyAnswer,
  jsonAnswer,
  jsonTextAnswer,
  streamAnswer,
  textAnswer,
  toResponse,
} from "./answer.ts";
export { type BodyRules, readBody } from "./body.ts";
export { type ByteBudget, createByteBudget, type Hold } from "./budget/byte-budget.ts";
export { type Cors, type CorsOptions, createCors } from "./cors.ts";
export { excerpt, failureAnswer, maxProblems, refusal, refuseMethod } from "./failure.ts";
export type { ClientInfo, Handler } from "./handler.ts";
export { createHeldRefusals } from "./held-refusals.ts";
export { asJson, JsonText, jsonTexts, sliceText } from "./json-text.ts";
export { parseJson } from "./json.ts";
export { isBodyUsed, withBody } from "./kept-body.ts";
export { clientOf, type NodeListener, type NodeListenerOptions, toNodeListener } from "./node-listener.ts";
export { type ClientLimits, listen, type Listening, type ListenOptions } from "./node.ts";
export { isForeign, ownHosts } from "./own-host.ts";
export { createRateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";
export { createRouter, type FindRoute, type Match } from "./router.ts";
