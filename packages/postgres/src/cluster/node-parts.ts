import { type Logger, systemClock, XError } from "@x/runtime";
import { type ClusterHandlers, monotonicMs } from "@x/runtime/store";

import type { Control } from "../control.ts";
import { unavailable } from "../failure.ts";
import type { Namespace } from "../namespace.ts";
import type { Query } from "../query.ts";
import { createRowList, type FullRowList } from "../row.ts";
import { type Calls, createCalls } from "./calls.ts";
import { createTriggerPump } from "./foreign-triggers.ts";
import { createMembership, type Membership } from "./membership.ts";
import { noBytes } from "./message-kinds.ts";
import { createMessageTable } from "./message-table.ts";
import type { Announcement } from "./announcement.ts";
import { createOwnership, type Ownership } from "./ownership.ts";
import type { RepeatedTask } from "./repeated-task.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { claimSlots } from "./slot-table.ts";
import type { Timing } from "./timing.ts";
import { createNotifications, type Notifications } from "./notifications.ts";

/** What a node's part in a cluster is made of. */
export interface ClusterParts {
  readonly nodeId: string;
  readonly namespace: Namespace;
  readonly query: Query;
  readonly logger: Logger;
  readonly timing: Timing;
  /** Commits rows after all that were submitted before. */
  submit(rows: FullRowList): Promise<void>;
  /** Ends the store: another node has taken over. */
  fail(error: XError): void;
}

/** What changes while a node lives. */
export interface NodeState {
  control: Control | undefined;
  /** When the connection was last made again. */
  connectedAt: number;
  /** From `join` on. */
  handlers: ClusterHandlers | undefined;
  ended: XError | undefined;
}

/** The parts of a node, connected. */
export interface NodeParts {
  readonly state: NodeState;
  readonly ownership: Ownership;
  readonly membership: Membership;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly triggers: RepeatedTask;
  readonly notifications: Notifications;
  /** Throws while there is no connection. */
  control(): Control;
  /** Something may have happened that nobody could tell. */
  missed(): void;
  pause(ms: number): Promise<void>;
}

const retryMs = 200;

const after = (ms: number, work: () => void): void => void systemClock.wakeAt(systemClock.now() + ms, work);
const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => after(ms, resolve));
const pause = (): Promise<void> => pauseFor(retryMs);

/** Calls `work` after so many ms, once for all calls until then. */
function onceAfter(work: () => void): (ms: number) => void {
  let waits = false;
  return (ms) => {
    if (waits) return;
    waits = true;
    after(ms, () => {
      waits = false;
      work();
    });
  };
}

/** Gives slots away; what still ran of theirs was ended in good order. */
function releaseRows(nodeId: string, slots: readonly number[]): FullRowList {
  const list = createRowList();
  for (const slot of slots) {
    list.add("settleTriggersIn", "inbox", slot);
    list.add("settleTransitionsIn", "transition", slot);
    list.add("releaseSlot", "slot", slot, nodeId);
  }
  return list;
}

/** Follows what another node announces. */
function receive(
  { state, ownership, membership, calls, questions, triggers }: NodeParts,
  announcement: Announcement,
): void {
  const { handlers, ended } = state;
  const { moves, messages, triggers: unseen, events } = announcement;
  if (ended) return;
  const running = new Set(messages || unseen ? ownership.running() : []);
  if (moves) void membership.look(true);
  // Whom an answer is for is the node that asked.
  if (messages === true || messages?.some((to) => typeof to === "string" || running.has(to))) {
    void questions.look();
    calls.look();
  }
  if (unseen === true || unseen?.some((slot) => running.has(slot))) void triggers.wake();
  if (events) handlers?.emitted(events === true ? undefined : events);
}

/** Makes and connects the parts. */
export function createNodeParts(given: ClusterParts): NodeParts {
  const { nodeId, namespace, query, logger, timing, submit } = given;
  const { pollMs } = timing;
  const state: NodeState = {
    control: undefined,
    connectedAt: Number.NEGATIVE_INFINITY,
    handlers: undefined,
    ended: undefined,
  };
  const control = (): Control => {
    if (state.ended) throw state.ended;
    if (!state.control) throw unavailable(undefined);
    return state.control;
  };
  const joined = (): ClusterHandlers => {
    if (state.handlers) return state.handlers;
    throw new XError("store_failed", ["use the cluster", "the node has not joined"]);
  };
  const notifications = createNotifications({
    nodeId,
    channel: namespace.channel,
    control,
    receive: (announcement) => receive(parts, announcement),
  });
  const { announce } = notifications;
  const ownership = createOwnership({
    nodeId,
    handlers: {
      gained: (slots) => joined().gained(slots),
      losing: (slots) => joined().losing(slots),
      usedSlots: () => joined().usedSlots(),
    },
    logger,
    claim: () => claimSlots(control(), namespace, nodeId),
    release: (slots) => submit(releaseRows(nodeId, slots)),
    moved() {
      if (membership.hasOthers) announce({ moves: true });
      void membership.look(true);
      void questions.look();
      void triggers.wake();
    },
    pause,
    followAfter: onceAfter(() => void membership.look(true)),
    leaseLost: () => given.fail(new XError("store_failed", ["commit", "another node has the sources of this one"])),
  });
  const missed = (): void => {
    calls.look();
    void questions.look();
    void triggers.wake();
    state.handlers?.emitted(undefined);
    state.handlers
      ?.told("lost", noBytes)
      .catch((error: unknown) => logger.error("caches could not be read again", { error: String(error) }));
  };
  const membership = createMembership({
    nodeId,
    namespace,
    timing,
    logger,
    ownership,
    control: () => state.control,
    connectedMs: () => monotonicMs() - state.connectedAt,
    queueDepth: () => state.handlers?.stats().queueDepth ?? 0,
    assigned: () => announce({ moves: true }),
    missed,
    dead: given.fail,
  });
  const table = createMessageTable(query, nodeId);
  const slots = ownership.running;
  const calls = createCalls({ table, logger, pollMs, announce });
  const refreshMembership = (): Promise<void> => membership.look(true);
  const handlers = (): ClusterHandlers | undefined => state.handlers;
  const questions = createQuestions({ table, logger, pollMs, handlers, slots, refreshMembership, announce, pause });
  const found = (heads: Parameters<ClusterHandlers["triggered"]>[0]): void => joined().triggered(heads);
  const triggers = createTriggerPump({ query, logger, pollMs, slots, submit, found });
  const parts: NodeParts = {
    state,
    ownership,
    membership,
    calls,
    questions,
    triggers,
    notifications,
    control,
    missed,
    pause: pauseFor,
  };
  return parts;
}
