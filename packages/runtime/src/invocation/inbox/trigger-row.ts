import { systemClock, type Logger, type Trigger, type TriggerHead } from "@x/model";
import type { Change, Store } from "@x/store";

/** What the store knows of a trigger that runs. */
export interface TriggerRow {
  /** Resolves when the trigger, or the outcome of its run, is durable. */
  readonly durable: Promise<void>;
  /** From now on a run that takes long is noted in the store. */
  watch(): void;
  /** Stores the trigger unless it is stored, or its outcome is. Rejects when the store fails, and for a tick, which has no row. */
  write(): Promise<void>;
  /** Calls `commit` with the changes that belong into the commit of the outcome; it must be made at once. */
  end(commit: (ending: readonly Change[]) => Promise<void>): Promise<void>;
  /** Ends `watch`. */
  close(): void;
}

export interface TriggerRowParts {
  readonly store: Pick<Store, "commit">;
  readonly logger: Logger;
}

interface Given extends TriggerRowParts {
  readonly head: TriggerHead;
  readonly isStored: boolean;
  /** What is noted of a long run. */
  readonly note: readonly Change[];
  /** Committed with the outcome unless it is durable before. */
  more(): readonly Change[];
}

/**
 * A run without requests is over in a few ms, and one commit is all that it takes. Of a longer one the sender hears after this
 * time, in ms.
 */
const longMs = 20;

function createTriggerRow({ store, logger, head, isStored, note, more }: Given): TriggerRow {
  const durable = Promise.withResolvers<void>();
  let isDurable = false;
  let noting: Promise<void> | undefined;
  let cancel: (() => void) | undefined;

  function setDurable(): void {
    isDurable = true;
    durable.resolve();
  }

  async function commitNote(): Promise<void> {
    try {
      await store.commit(note);
      setDurable();
    } catch (error) {
      noting = undefined;
      throw error;
    }
  }
  const takeNote = (): Promise<void> => (noting ??= commitNote());
  const noteLate = (): void =>
    void takeNote().catch((error: unknown) =>
      logger.error("a trigger could not be stored while it runs", {
        source: head.sourceId,
        trigger: head.id,
        error: String(error),
      }),
    );

  if (isStored) setDurable();
  return {
    durable: durable.promise,
    watch() {
      if (note.length > 0) cancel ??= systemClock.wakeAt(systemClock.now() + longMs, noteLate);
    },
    async write() {
      if (isDurable) return;
      if (note.length === 0) throw new Error("A tick has no row");
      await takeNote();
    },
    async end(commit) {
      cancel?.();
      // Whether a note on its way is durable decides what is left to commit.
      await noting?.catch(() => undefined);
      const removal: Change = { op: "trigger.remove", id: head.id };
      await commit([...(isStored || noting ? [removal] : []), ...(isDurable ? [] : more())]);
      setDurable();
    },
    close: () => cancel?.(),
  };
}

const nothing = (): readonly Change[] => [];

/** For a trigger that is stored. With `isMarked`, the store knows already that its run begins. */
export const storedRow = (head: TriggerHead, isMarked: boolean, parts: TriggerRowParts): TriggerRow =>
  createTriggerRow({
    ...parts,
    head,
    isStored: true,
    note: isMarked ? [] : [{ op: "trigger.start", id: head.id }],
    more: nothing,
  });

/** For a trigger that is in memory alone, until its run takes long. `more` becomes durable with it or with its outcome. */
export const laterRow = (
  head: TriggerHead,
  trigger: Trigger,
  more: readonly Change[],
  parts: TriggerRowParts,
): TriggerRow => {
  const row = createTriggerRow({
    ...parts,
    head,
    isStored: false,
    note: [{ op: "trigger.add", trigger, running: true }, ...more],
    more: () => more,
  });
  row.watch();
  return row;
};

/** For a tick, which is due again after a crash. `next` becomes durable with its outcome. */
export const tickRow = (head: TriggerHead, next: () => Change, parts: TriggerRowParts): TriggerRow =>
  createTriggerRow({ ...parts, head, isStored: false, note: [], more: () => [next()] });
