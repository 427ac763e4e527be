import type { Change, Memory, Store } from "../contract.ts";
import { createCommitCounts } from "../commit-counts.ts";
import { XError, monotonicMs } from "@x/model";
import { asyncReads } from "../reads.ts";
import { applyChange } from "./memory-changes.ts";
import { memoryDeliveryReads } from "./memory-deliveries.ts";
import { memoryReads } from "./memory-reads.ts";
import { copyTables, createTables, type Tables } from "./memory-tables.ts";

/** Creates records that outlive the runtimes which use them one after another, and end with the process. */
export const createMemory = (): Memory => memoryOf(createTables());

function memoryOf(tables: Tables): Memory {
  let previous: { isOpen: boolean } | undefined;
  return {
    open() {
      if (previous) previous.isOpen = false;
      const state = { isOpen: true };
      previous = state;
      return openTables(tables, state);
    },
    copy: () => memoryOf(copyTables(tables)),
  };
}

/** Creates a store that ends with the process: for tests, the harness and temporary runtimes. */
export const createMemoryStore = (): Store => openTables(createTables(), { isOpen: true });

/** Memory does not fail. */
const never = new Promise<XError>(() => undefined);

function openTables(tables: Tables, state: { isOpen: boolean }): Store {
  const checkOpen = (): void => {
    if (!state.isOpen) throw new XError("closed", []);
  };
  // After a start that failed, the marks of the previous runtime stay.
  let used = false;
  const counts = createCommitCounts();
  const reads = asyncReads({ ...memoryReads(tables), ...memoryDeliveryReads(tables) }, (_, read) => {
    checkOpen();
    return read();
  });

  return {
    ...reads,
    failed: never,
    commitStats: counts.read,
    async commit(changes: readonly Change[]) {
      checkOpen();
      used = true;
      const undo: (() => void)[] = [];
      const begun = monotonicMs();
      try {
        for (const change of changes) applyChange(tables, change, undo);
        counts.add(1, 0, monotonicMs() - begun);
      } catch (error) {
        for (const step of undo.toReversed()) step();
        counts.add(1, 1, monotonicMs() - begun);
        throw error;
      }
    },
    async recoverTriggers(slots) {
      checkOpen();
      used = true;
      for (const [id, row] of tables.triggers) {
        if (!row.running || slots?.has(row.value.sourceId) === false) continue;
        const value = { ...row.value, crashes: row.value.crashes + 1 };
        tables.triggers.set(id, { ...row, value, running: false });
      }
      return reads.triggers(undefined, slots);
    },
    async recoverTransitions(slots) {
      checkOpen();
      used = true;
      for (const [id, transition] of tables.transitions)
        if (transition.running && slots?.has(id) !== false)
          tables.transitions.set(id, { ...transition, crashes: transition.crashes + 1, running: false });
      return (await reads.transitions()).filter(({ source }) => slots?.has(source.id) !== false);
    },
    async sweep() {
      checkOpen();
    },
    async close() {
      const { triggers, transitions } = tables;
      const settles = state.isOpen && used;
      for (const [id, row] of settles ? triggers : []) triggers.set(id, { ...row, running: false });
      for (const [id, row] of settles ? transitions : []) transitions.set(id, { ...row, running: false });
      state.isOpen = false;
    },
  };
}
