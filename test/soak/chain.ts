import { setTimeout as pause } from "node:timers/promises";

import { deploy, type Deployed, repeat, send } from "../flood/client.ts";
import type { Account } from "../flood/contract.ts";
import type { Receiver } from "./receiver.ts";

const emitter = (trigger: string): string => `export default {
  name: "Emitter", version: "1", props: { db: "$.service.db", ${trigger} },
  run() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit({ n }); },
};`;
/** Counts the events that reach it in order, without a gap. */
const listener = `export default {
  name: "Listener", version: "1", props: { db: "$.service.db" },
  run({ n }) {
    const last = this.db.get("n") ?? 0;
    if (n !== last + 1) this.db.set("problem", "event " + n + " follows " + last);
    this.db.set("n", n);
  },
};`;
const http = `http: "$.interface.http"`;
const timer = `timer: { type: "$.interface.timer", default: { intervalSeconds: 1 } }`;

/** An emitter with requests and one with a timer, each with a listener; webhooks of the first. */
export interface Chain {
  readonly acknowledged: number;
  /** Events so far: of the requests and of the timer. */
  readonly emitted: number;
  /** A source with events, for those who read them. */
  readonly source: string;
  /** Sends requests at a constant rate until the returned function is called. */
  start(paceMs: number): () => Promise<void>;
  /** Pauses the timer. */
  still(): Promise<void>;
  /** What has not arrived yet, or arrived wrongly; undefined: all is there, once where that is promised. */
  judge(): Promise<string | undefined>;
}

interface Link {
  readonly name: string;
  readonly from: Deployed;
  readonly to: Deployed;
}

export async function startChain(account: Account, receiver: Receiver): Promise<Chain> {
  const subscribe = (from: string, to: string): Promise<unknown> =>
    send(account, "POST", `/subscriptions?emitter_id=${from}&listener_id=${to}`);
  const link = async (name: string, trigger: string): Promise<Link> => {
    const [from, to] = [await deploy(account, emitter(trigger)), await deploy(account, listener)];
    await subscribe(from.id, to.id);
    return { name, from, to };
  };
  const requests = await link("requests", http);
  const ticks = await link("ticks", timer);
  for (const path of receiver.accepted.keys()) {
    const { text } = await send(account, "POST", "/webhooks", { url: receiver.url + path });
    await subscribe(requests.from.id, (JSON.parse(text) as { data: { id: string } }).data.id);
  }
  const state = { sent: 0, acknowledged: 0, emitted: 0 };

  async function read(id: string, key: string): Promise<unknown> {
    const { status, text } = await send(account, "GET", `/sources/${id}/db/${key}`);
    return status === 404 ? undefined : (JSON.parse(text) as { data: { value: unknown } }).data.value;
  }

  async function judgeLink({ name, from, to }: Link): Promise<readonly string[]> {
    const [sent, arrived, problem] = [await read(from.id, "n"), await read(to.id, "n"), await read(to.id, "problem")];
    state.emitted += Number(sent ?? 0);
    return [
      problem === undefined ? "" : `${name}: ${JSON.stringify(problem)}`,
      sent === arrived ? "" : `${name}: ${String(sent)} emitted, ${String(arrived)} arrived`,
    ].filter((text) => text !== "");
  }

  return {
    get acknowledged() {
      return state.acknowledged;
    },
    get emitted() {
      return state.emitted;
    },
    source: requests.from.id,
    start: (paceMs) =>
      repeat(1, async () => {
        const next = pause(paceMs);
        state.sent += 1;
        const answer = await fetch(requests.from.endpoint ?? "", { method: "POST", body: "{}" });
        if (answer.status === 200) state.acknowledged += 1;
        await answer.text();
        await next;
      }),
    async still() {
      await send(account, "PATCH", `/sources/${ticks.from.id}`, { active: false });
    },
    async judge() {
      state.emitted = 0;
      const problems = [...(await judgeLink(requests)), ...(await judgeLink(ticks))];
      const ran = Number((await read(requests.from.id, "n")) ?? 0);
      const { sent, acknowledged } = state;
      if (ran < acknowledged || ran > sent)
        problems.push(`requests: ${sent} sent, ${acknowledged} acknowledged, ${ran} ran`);
      for (const [path, numbers] of receiver.accepted) {
        const received = new Set(numbers).size;
        if (received !== ran) problems.push(`${path}: ${ran} emitted, ${received} received`);
      }
      return problems.length === 0 ? undefined : problems.join("; ");
    },
  };
}
