import { ask } from "../faults/service.child.ts";
import { attemptHeader } from "./balancer.ts";

type Kind = "plain" | "answering" | "timer" | "chained";

/** A deployed source. */
export interface Deployed {
  readonly id: string;
  /** Its name in events and at the referee. */
  readonly label: string;
  readonly kind: Kind;
  /** It has a reason to run this often: the interval of its timer, the pause of its client, or those of its emitter. */
  readonly everyMs: number;
  /** Path of its endpoint; undefined: it has none. */
  readonly path: string | undefined;
  /** The label of the source whose events run it. */
  readonly emitter: string | undefined;
  /** The webhook that gets its events. */
  readonly webhook: string | undefined;
}

/** What a run emits: its number among the runs of its source, and of what it is a run. */
export interface Payload {
  readonly label: string;
  readonly n: number;
  /** Its number at the referee. */
  readonly run: number;
  /** Of the request. */
  readonly id?: string;
  readonly attempt?: string;
  /** Of the event of the emitter. */
  readonly from?: number;
  readonly timestamp?: number;
}

/** The interval of the timers. */
export const tickMs = 1_000;

const props: { readonly [kind in Kind]: string } = {
  plain: `http: "$.interface.http"`,
  answering: `http: { type: "$.interface.http", customResponse: true }`,
  timer: `timer: { type: "$.interface.timer", default: { intervalSeconds: ${tickMs / 1_000} } }`,
  chained: "",
};

/** Counts its runs in the db, and reports when each begins and ends. Sources of one kind have the same code, as most do. */
const componentText = (kind: Kind): string => `export default {
  name: "${kind}", version: "1", props: { label: { type: "string" }, db: "$.service.db", ${props[kind]} },
  async run(event) {
    const { run } = await (await fetch("http://referee.test/begin?source=" + this.label)).json();
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.$emit({
      label: this.label, n, run, id: event.body?.id, attempt: event.headers?.["${attemptHeader}"],
      from: event.run === undefined ? undefined : event.n, timestamp: event.timestamp,
    });
    ${kind === "answering" ? "if (event.method) this.http.respond({ status: 200, body: { n } });" : ""}
    await (await fetch("http://referee.test/end?run=" + run)).text();
  },
};`;

/** In each group: two plain ones, one that answers, a timer, and two that are chained to a plain one and to the timer. */
const groupSize = 6;

interface Created {
  readonly data: {
    readonly id: string;
    readonly configured_props: { readonly http?: { readonly endpoint_url: string } };
  };
}

/** Deploys the sources with their subscriptions; two of each group have a webhook to the receiver. */
export async function deploySources(
  url: string,
  { sources: count, paceMs }: { readonly sources: number; readonly paceMs: number },
  receiver: string,
): Promise<readonly Deployed[]> {
  const deployed: Deployed[] = [];
  const subscribe = (emitter: string, listener: string): Promise<unknown> =>
    ask(url, "POST", `/subscriptions?emitter_id=${emitter}&listener_id=${listener}`);

  async function deploy(label: string, kind: Kind, emitter?: Deployed, webhook?: string): Promise<Deployed> {
    const body = { component_code: componentText(kind), name: label, configured_props: { label } };
    const { data } = await ask<Created>(url, "POST", "/sources", body);
    if (emitter) await subscribe(emitter.id, data.id);
    if (webhook !== undefined) {
      const hook = await ask<{ data: { id: string } }>(url, "POST", "/webhooks", {
        url: `${receiver}/${webhook}`,
      });
      await subscribe(data.id, hook.data.id);
    }
    const endpoint = data.configured_props.http?.endpoint_url;
    const path = endpoint === undefined ? undefined : new URL(endpoint).pathname;
    const everyMs = kind === "timer" || emitter?.kind === "timer" ? tickMs : paceMs;
    const source = { id: data.id, label, kind, everyMs, path, emitter: emitter?.label, webhook };
    deployed.push(source);
    return source;
  }

  for (let group = 0; group * groupSize < count; group += 1) {
    const first = await deploy(`plain${group}a`, "plain", undefined, `hook${group}a`);
    await deploy(`chained${group}a`, "chained", first, `hook${group}b`);
    await deploy(`plain${group}b`, "plain");
    await deploy(`answering${group}`, "answering");
    const timer = await deploy(`timer${group}`, "timer");
    await deploy(`chained${group}b`, "chained", timer);
  }
  return deployed;
}
