export { type CodeResult, type CodeSandbox, type CodeSandboxOptions, createSandbox } from "./code-sandbox.ts";
export type {
  CallHost,
  DataStoreCall,
  DbChange,
  Description,
  Entry,
  GuestEmit,
  GuestLog,
  GuestReply,
  GuestRequest,
  GuestResponse,
  HoldBytes,
  LeftItem,
  LeftWork,
  Outcome,
  Sandbox,
  SandboxCall,
  SandboxStats,
  SelfData,
  ThrownError,
} from "./contract.ts";
export { cacheDescriptions } from "./description-cache.ts";
export { parseExactly } from "./exact-integers.ts";
export { createInlineSandbox } from "./engines/inline-sandbox.ts";
export { createNodeSandbox } from "./engines/node-sandbox.ts";
export type { HandlerServices, RunContext, WorkflowHandler } from "./handler-contract.ts";
export { withHandlers } from "./handlers.ts";
export { leaseSandbox } from "./lease.ts";
export { bundleFileName, preludeFileName } from "./ops.ts";
export { type PoolOptions, createPool } from "./pool/pool.ts";
export { warmUp } from "./warm-up.ts";
