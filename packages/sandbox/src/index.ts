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
export type { HandlerServices, RunContext, WorkflowHandler } from "./handler-contract.ts";
export { withHandlers } from "./handlers.ts";
export { leaseSandbox } from "./lease.ts";
export { bundleFileName, preludeFileName } from "./ops.ts";
export { openSandbox, type SandboxKind } from "./open-sandbox.ts";
export { warmUp } from "./warm-up.ts";
