import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import type { Change, Store } from "../../packages/store/src/contract.ts";
import { openSqliteStore } from "../../packages/store/src/sqlite/sqlite.ts";
import { type Engine, logRecord, type NodePlan, payload, sourceName } from "./engine.ts";

type Slots = NonNullable<Parameters<Store["timers"]>[0]>;
type Trigger = NonNullable<Awaited<ReturnType<Store["trigger"]>>>;
type Head = Awaited<ReturnType<Store["triggers"]>>[number];

const perCommit = 200;
const slotCount = 1_024;

const trigger = (index: number, sources: number): Trigger => ({
  id: `trigger${String(index).padStart(8, "0")}`,
  sourceId: sourceName(index % sources),
  type: "HTTP",
  event: payload,
  at: index,
  crashes: 0,
  hops: 0,
});

/** The changes of one invocation: db, dedupe, an event, its delivery, a line of the log, and the end of its trigger. */
function invocation({ id, sourceId }: Head, count: number): Change[] {
  const ms = 1_800_000_000_000 + count;
  const emitId = `${id}emit`;
  return [
    { op: "trigger.remove", id },
    { op: "db.set", sourceId, key: "cursor", value: String(count), at: ms },
    { op: "dedupe.set", sourceId, channel: "", state: { strategy: "unique", ids: [id] } },
    {
      op: "event.add",
      event: { emitterId: sourceId, stream: "emits", id: { ms, seq: 0 }, emitId, name: "", payload, dedupeId: id },
    },
    {
      op: "delivery.add",
      delivery: {
        id: `${id}delivery`,
        webhookId: "wh_bench",
        emitterId: sourceId,
        eventId: { ms, seq: 0 },
        emitId,
        eventName: "",
        status: "pending",
        attempts: [],
        nextAttemptAt: ms,
        createdAt: ms,
        payload,
      },
    },
    {
      op: "event.add",
      event: {
        emitterId: sourceId,
        stream: "$logs",
        id: { ms, seq: 0 },
        emitId: `${id}logs`,
        name: "",
        payload: logRecord,
      },
    },
  ];
}

/** Waiting jobs of the sources of this node, in order. */
function createJobs() {
  const found = new Map<string, Head[]>();
  return {
    add(heads: readonly Head[]): void {
      for (const head of heads) {
        const known = found.get(head.sourceId);
        if (known) known.push(head);
        else found.set(head.sourceId, [head]);
      }
    },
    remove({ has }: Slots): void {
      for (const source of found.keys()) if (has(source)) found.delete(source);
    },
    lanes: () => [...found.values()],
  };
}

const noAnswer = new Uint8Array();
const lookMs = 100;

/** Our own store, as the runtime uses it: what is recovered at a start runs in one lane for each source. */
export async function openXEngine({ engine, place, schema, nodes, sources, jobs: count }: NodePlan): Promise<Engine> {
  const store: Store =
    engine === "sqlite"
      ? await openSqliteStore({ folder: place })
      : await openPostgres({ url: place, schema, nodes: "several" });
  const { cluster } = store;
  const jobs = createJobs();
  const counts = new Map<string, number>();

  async function lane(heads: readonly Head[], until: number): Promise<number> {
    let handled = 0;
    for (const head of heads) {
      if (performance.now() >= until) break;
      if (!(await store.trigger(head.id))) throw new Error(`${head.id} is gone.`);
      const count = (counts.get(head.sourceId) ?? 0) + 1;
      counts.set(head.sourceId, count);
      await store.commit(invocation(head, count));
      handled += 1;
    }
    return handled;
  }

  return {
    async enqueue() {
      for (let from = 0; from < count; from += perCommit) {
        const adds = Array.from({ length: Math.min(perCommit, count - from) }, (_, index) =>
          trigger(from + index, sources),
        );
        await store.commit(adds.map((each): Change => ({ op: "trigger.add", trigger: each, running: false })));
      }
    },
    async join() {
      if (!cluster) return jobs.add(await store.recoverTriggers());
      await cluster.join({
        gained: async (slots) => jobs.add(await store.recoverTriggers(slots)),
        losing: async (slots) => jobs.remove(slots),
        usedSlots: () => new Set(),
        asked: async () => noAnswer,
        told: async () => undefined,
        triggered: (heads) => jobs.add(heads),
        emitted: () => undefined,
        stats: () => ({ queueDepth: 0 }),
      });
      const share = Math.floor(slotCount / nodes);
      for (;;) {
        const views = await cluster.nodes();
        if (views.length === nodes && views.every(({ slots }) => slots >= share)) return;
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
    async run(until) {
      const handled = await Promise.all(jobs.lanes().map((heads) => lane(heads, until)));
      return handled.reduce((sum, each) => sum + each, 0);
    },
    close: () => store.close(),
  };
}
