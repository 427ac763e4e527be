import { type Logger, XError } from "@x/runtime";
import { monotonicMs } from "@x/runtime/store";

import type { Control } from "../control.ts";
import type { Namespace } from "../namespace.ts";
import { createAges } from "./ages.ts";
import type { Ownership } from "./ownership.ts";
import { beat, isSuspect, type Peer } from "./peers.ts";
import { createRepeatedTask } from "./repeated-task.ts";
import { assign, readSlots, type SlotTable } from "./slot-table.ts";
import type { Timing } from "./timing.ts";

/** What a membership needs of its node. */
export interface MembershipParts {
  readonly nodeId: string;
  readonly namespace: Namespace;
  readonly timing: Timing;
  readonly logger: Logger;
  readonly ownership: Ownership;
  /** Undefined while there is no connection. */
  control(): Control | undefined;
  /** For how long there has been this connection, in ms; a node that has just begun judges at once. */
  connectedMs(): number;
  queueDepth(): number;
  /** Slots have new targets, or nodes were marked dead. */
  assigned(): void;
  /** Other nodes are gone, and could not tell what they did last. */
  missed(): void;
  /** This node is dead for the others. */
  dead(error: XError): void;
}

/** Shows that this node lives, looks after the others, and follows the table of slots. */
export interface Membership {
  readonly hasOthers: boolean;
  /** Beats at once; `reads`: also reads the table of slots. Resolves when that is done. */
  look(reads: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The nodes that may have slots, as one text. */
const takersOf = (peers: readonly Peer[]): string =>
  peers
    .filter(({ joined, leaving }) => joined && !leaving)
    .map(({ id }) => id)
    .toSorted()
    .join(" ");

export function createMembership(parts: MembershipParts): Membership {
  const { nodeId, namespace, timing, logger, ownership } = parts;
  let others: ReadonlySet<string> = new Set();
  let takers = "";
  let readAt = Number.NEGATIVE_INFINITY;
  const ages = createAges();
  const task = createRepeatedTask(timing.beatMs, tick, (error) =>
    logger.debug?.("the nodes cannot be read yet", { error: String(error) }),
  );

  async function tick(): Promise<void> {
    const control = parts.control();
    if (!control) return;
    const peers = await beat(control, nodeId, parts.queueDepth());
    if (!peers.some(({ id }) => id === nodeId))
      return parts.dead(new XError("store_failed", ["commit", "another node has declared this one dead"]));
    noteOthers(peers);
    ages.note(peers, monotonicMs());
    const settledMs = parts.connectedMs();
    const suspects = peers.filter((peer) => peer.id !== nodeId && isSuspect(peer, settledMs, timing));
    const changed = takersOf(peers) !== takers;
    if (suspects.length > 0 || changed) await assignTo(control, peers, suspects);
    if (changed || suspects.length > 0 || monotonicMs() - readAt >= timing.pollMs) await followTable(control);
  }

  function noteOthers(peers: readonly Peer[]): void {
    const now = new Set(peers.flatMap(({ id }) => (id === nodeId ? [] : [id])));
    const isMissing = [...others].some((id) => !now.has(id));
    others = now;
    if (isMissing) parts.missed();
  }

  async function assignTo(control: Control, peers: readonly Peer[], suspects: readonly Peer[]): Promise<void> {
    const ids = suspects.map(({ id }) => id);
    const dead = await assign(control, namespace, ids, timing);
    if (dead.length > 0) logger.warn(`nodes are gone, and their sources go to others: ${dead.join(", ")}`);
    takers = takersOf(peers.filter(({ id }) => !dead.includes(id)));
    parts.assigned();
    noteOthers(peers.filter(({ id }) => !dead.includes(id)));
  }

  async function followTable(control: Control): Promise<void> {
    for (;;) {
      const before = ownership.releases();
      const table: SlotTable = await readSlots(control);
      // Slots that were given away meanwhile are in this table still.
      if (ownership.releases() !== before) continue;
      readAt = monotonicMs();
      const known = new Set(takers.split(" "));
      // Somebody assigned them at the same time, from nodes that are not there any more: the next look repairs it.
      if (table.targets.some((target) => !known.has(target ?? ""))) takers = "";
      const now = monotonicMs();
      await ownership.follow(table, (id) => ages.of(id, now) >= timing.readyMs);
      return;
    }
  }

  return {
    get hasOthers() {
      return others.size > 0;
    },
    look(reads) {
      if (reads) readAt = Number.NEGATIVE_INFINITY;
      return task.wake();
    },
    stop: task.stop,
  };
}
