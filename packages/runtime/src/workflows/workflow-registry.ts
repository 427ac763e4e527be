import type { WorkflowHandler } from "@x/sandbox";
import type { Source } from "@x/model";
import type { Store } from "@x/store";

/**
 * The workflows that this process has registered. A workflow that is only in the store, from another process, does not
 * run until it is registered again: its definition is code of the program.
 */
export interface WorkflowRegistry {
  /** True for a workflow that is not registered; false for sources. */
  isUnregistered(id: string): boolean;
  add(id: string, handler: WorkflowHandler | undefined): void;
  remove(id: string): void;
  /** The function of the program that runs instead of steps. */
  handler(id: string): WorkflowHandler | undefined;
}

const isWorkflowId = (id: string): boolean => id.startsWith("p_");

export function createWorkflowRegistry(): WorkflowRegistry {
  const registered = new Map<string, WorkflowHandler | undefined>();
  return {
    isUnregistered: (id) => isWorkflowId(id) && !registered.has(id),
    add: (id, handler) => void registered.set(id, handler),
    remove: (id) => void registered.delete(id),
    handler: (id) => registered.get(id),
  };
}

/** The store, with every unregistered workflow inactive: nothing is queued for it, nothing of it runs. */
export function withUnregisteredInactive(inner: Store, { isUnregistered }: WorkflowRegistry): Store {
  const show = (source: Source): Source =>
    source.active && isUnregistered(source.id) ? { ...source, active: false } : source;
  return {
    ...inner,
    async source(id) {
      const source = await inner.source(id);
      return source && show(source);
    },
    async sourceByEndpoint(key) {
      const source = await inner.sourceByEndpoint(key);
      return source && show(source);
    },
    async sources(userId, page, only) {
      const { totalCount, items } = await inner.sources(userId, page, only);
      return { totalCount, items: items.map(show) };
    },
  };
}
