import type { Logger, XError } from "@x/runtime";
import {
  type Change,
  type Cluster,
  type ClusterHandlers,
  type Emitted,
  type EncodingNode,
  monotonicMs,
  type Slots,
  slotOf,
  type TriggerHead,
} from "@x/runtime/store";

import type { Control } from "../control.ts";
import { seeTriggers } from "./foreign-triggers.ts";
import { type ClusterParts, createNodeParts, type NodeParts } from "./node-parts.ts";
import { readNodes } from "./peers.ts";

/** A node, for its store. */
export interface ClusterNode {
  readonly cluster: Cluster;
  /** For its commits. */
  readonly encoding: EncodingNode;
  /** The connection is there, or is lost. */
  connected(control: Control | undefined): void;
  /** To be called with a commit; the function that it returns, after it. */
  announce(changes: readonly Change[]): () => void;
  /** All triggers of slots that were gained; they are seen. */
  seeTriggers(slots: Slots): Promise<readonly TriggerHead[]>;
  /** The slots whose work runs here. */
  runningSlots(): readonly number[];
  end(error: XError): Promise<void>;
}

/** The first new event of each stream; those of one stream are in their order. */
function emittedBy(changes: readonly Change[]): readonly Emitted[] {
  const firsts = new Map<string, Emitted>();
  for (const change of changes) {
    if (change.op !== "event.add") continue;
    const { emitterId, stream, id } = change.event;
    const key = `${emitterId} ${stream}`;
    if (!firsts.has(key)) firsts.set(key, { emitterId, stream, first: id });
  }
  return [...firsts.values()];
}

async function join(parts: NodeParts, nodeId: string, handlers: ClusterHandlers): Promise<void> {
  const { state, ownership, membership, calls, questions, notifications, control } = parts;
  state.handlers = handlers;
  await control().rows("UPDATE @node SET joined = true WHERE id = $1 AND NOT dead", nodeId);
  // Earlier messages are handled before this node does anything.
  await questions.look();
  await questions.settled();
  notifications.announce({ moves: true });
  await membership.look(true);
  await calls.announceJoin();
  await membership.look(true);
  await ownership.settled();
}

/** How often a node that leaves looks whether its slots are gone. */
const leaveMs = 50;

async function leave(parts: NodeParts, nodeId: string, logger: Logger): Promise<void> {
  const { state, ownership, membership, questions, control } = parts;
  if (!state.handlers || state.ended) return;
  try {
    await control().rows("UPDATE @node SET leaving = true WHERE id = $1", nodeId);
    while (state.control) {
      await membership.look(true);
      await ownership.settled();
      if (ownership.isEmpty()) break;
      await parts.pause(leaveMs);
    }
    await questions.settled();
  } catch (error) {
    // Without a connection nothing can be handed over; the others take it when they see that this node is gone.
    logger.warn("sources could not be handed over", { error: String(error) });
  }
}

/** Listens on a connection, and looks for everything that came before. */
async function listen({ membership, notifications, missed }: NodeParts, control: Control): Promise<void> {
  await notifications.listen(control);
  missed();
  void membership.look(true);
}

/** Announces commits: new events, and triggers that their owners have to look for. */
function announceCommits({ ownership, membership, triggers, notifications }: NodeParts): ClusterNode["announce"] {
  return (changes) => {
    const unseen = changes.flatMap((change) => {
      if (change.op !== "trigger.add") return [];
      const { sourceId } = change.trigger;
      return ownership.owns(sourceId) ? [] : [slotOf(sourceId)];
    });
    return () => {
      // Its slot may have come here meanwhile.
      if (unseen.length > 0) void triggers.wake();
      if (!membership.hasOthers) return;
      const events = emittedBy(changes);
      if (unseen.length === 0 && events.length === 0) return;
      notifications.announce({ ...(unseen.length > 0 && { triggers: unseen }), ...(events.length > 0 && { events }) });
    };
  };
}

export function createClusterNode(given: ClusterParts): ClusterNode {
  const { nodeId, query, logger, submit } = given;
  const parts = createNodeParts(given);
  const { state, ownership, membership, calls, questions, triggers } = parts;
  let connections = 0;

  const cluster: Cluster = {
    nodeId,
    owns: ownership.owns,
    get hasOthers() {
      return !state.ended && membership.hasOthers;
    },
    join: (handlers) => join(parts, nodeId, handlers),
    leave: () => leave(parts, nodeId, logger),
    async ask(id, kind, body, signal) {
      if (!state.handlers || !ownership.owns(id)) return calls.ask(id, kind, body, signal);
      return state.handlers.asked({ id: `m_${nodeId}`, kind, body });
    },
    tellAll: calls.tellAll,
    nodes: () => readNodes(query, nodeId),
  };

  return {
    cluster,
    encoding: { owns: ownership.owns, share: slotOf(nodeId) },
    connected(control) {
      state.control = control;
      if (!control) return;
      connections += 1;
      if (connections > 1) state.connectedAt = monotonicMs();
      // If it fails the connection is lost again, and the next one begins anew.
      listen(parts, control).catch((error: unknown) =>
        logger.debug?.("notifications cannot be received yet", { error: String(error) }),
      );
    },
    announce: announceCommits(parts),
    seeTriggers: (slots) => seeTriggers(query, slots, submit),
    runningSlots: ownership.running,
    async end(error) {
      state.ended ??= error;
      state.control = undefined;
      ownership.end();
      await Promise.all([membership.stop(), triggers.stop(), calls.end(error), questions.end(error)]);
    },
  };
}
