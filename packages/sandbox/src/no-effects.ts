import type { CallHost } from "./contract.ts";

/** A host that keeps nothing of a call. */
export const noEffects: Omit<CallHost, "fetch"> = {
  restart: () => undefined,
  emit: () => undefined,
  dbSet: () => undefined,
  log: () => undefined,
  step: () => undefined,
  respond: () => undefined,
};
