import type { WorkflowHandler } from "../api/workflow-api.ts";

/**
 * The workflows that this process has registered. Their definitions are code: what another process left in the store
 * is dormant, nothing of it runs until it is registered again.
 */
export interface Roster {
  isDormant(id: string): boolean;
  add(id: string, handler: WorkflowHandler | undefined): void;
  remove(id: string): void;
  /** The function of the embedder that runs in place of steps. */
  handler(id: string): WorkflowHandler | undefined;
}

const isWorkflowId = (id: string): boolean => id.startsWith("p_");

export function createRoster(): Roster {
  const present = new Map<string, WorkflowHandler | undefined>();
  return {
    isDormant: (id) => isWorkflowId(id) && !present.has(id),
    add: (id, handler) => void present.set(id, handler),
    remove: (id) => void present.delete(id),
    handler: (id) => present.get(id),
  };
}
