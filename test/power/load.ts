import { setTimeout as pause } from "node:timers/promises";

import { type Client, createClient, type Receipt } from "./client.ts";

/** What an answer acknowledges. */
export type Claim =
  /** The request `id` runs, or has run, at the source of this label. */
  | { readonly kind: "request"; readonly label: string; readonly id: string }
  /** The source of this label exists. */
  | { readonly kind: "source"; readonly label: string }
  /** A passing source has come to this step of its life. */
  | { readonly kind: "step"; readonly life: number; readonly step: number }
  /** The db of a source has this number, or a later one. */
  | { readonly kind: "written"; readonly label: string; readonly value: number };

export interface Acknowledgement {
  readonly receipt: Receipt;
  readonly claim: Claim;
}

/** Steps of the life of a passing source: deployed, replaced, paused, deleted. */
export const lastStep = 4;
/** The db key that a client writes. */
export const writtenKey = "written";

type Kind = "plain" | "answering" | "timer" | "chained";

interface Deployed {
  readonly id: string;
  readonly path: string;
}

const props: { readonly [kind in Kind]: string } = {
  plain: `http: "$.interface.http"`,
  answering: `http: { type: "$.interface.http", customResponse: true }`,
  timer: `timer: { type: "$.interface.timer", default: { intervalSeconds: 1 } }`,
  chained: "",
};

/** Each run counts in the db, and emits the count; some events are large, so that the log of the database is taken over often. */
const code = (label: string, kind: Kind): string => `export default {
  name: "${label}", version: "1", props: { db: "$.service.db", ${props[kind]} },
  run(event) {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    const ballast = "b".repeat(n % 7 === 0 ? 60_000 : 500);
    this.$emit({ n, id: event.body?.id, from: event.ballast ? event.n : undefined, ballast });
    ${kind === "answering" ? "if (event.method) this.http.respond({ status: 200, body: { n } });" : ""}
  },
};`;
const passing = (version: number): string => `export default {
  name: "Passing", version: "0.0.${version}", props: { db: "$.service.db", http: "$.interface.http" },
  hooks: { activate() { this.db.set("version", ${version}); } },
  run() {},
};`;

const sources: readonly (readonly [label: string, kind: Kind])[] = [
  ["plain", "plain"],
  ["other", "plain"],
  ["answering", "answering"],
  ["timer", "timer"],
  ["chained", "chained"],
];
/** The source whose events run `chained`. */
export const emitter = "plain";
const runEvery = 5;

/** Everything that was acknowledged, over all services of a recording. */
export interface Load {
  readonly acknowledged: readonly Acknowledgement[];
  /** Answers other than 2xx. */
  readonly problems: readonly string[];
  /** Deploys the sources. */
  begin(url: string): Promise<void>;
  /** Sends as fast as answers come until the returned function is called, or the service ends. */
  start(url: string): () => Promise<void>;
}

export function createLoad(): Load {
  const acknowledged: Acknowledgement[] = [];
  const problems: string[] = [];
  const deployed = new Map<string, Deployed>();
  let [requests, lives, written] = [0, 0, 0];

  async function claim(client: Client, method: string, path: string, body: unknown, made: Claim): Promise<string> {
    const { status, text, receipt } = await client.send(method, path, body);
    if (status < 300) acknowledged.push({ receipt, claim: made });
    else problems.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    return text;
  }

  async function request(client: Client, label: string): Promise<void> {
    const { id: source = "", path = "" } = deployed.get(label) ?? {};
    const id = `${label}-${(requests += 1)}`;
    const made: Claim = { kind: "request", label, id };
    if (requests % runEvery !== 0) await claim(client, "POST", path, { id }, made);
    else await claim(client, "POST", `/v1/sources/${source}/run`, { event: { body: { id } } }, made);
  }

  async function live(client: Client): Promise<void> {
    const life = (lives += 1);
    const name = (step: number): string => `life-${life}-${step}`;
    const step = (number: number): Claim => ({ kind: "step", life, step: number });
    const made = await claim(client, "POST", "/v1/sources", { component_code: passing(1), name: name(1) }, step(1));
    const path = `/v1/sources/${(JSON.parse(made) as { data: { id: string } }).data.id}`;
    await claim(client, "PUT", path, { component_code: passing(2), name: name(2) }, step(2));
    await claim(client, "PATCH", path, { active: false }, step(3));
    await claim(client, "DELETE", path, undefined, step(lastStep));
  }

  async function write(client: Client): Promise<void> {
    const { id = "" } = deployed.get("other") ?? {};
    const value = (written += 1);
    await claim(
      client,
      "PUT",
      `/v1/sources/${id}/db/${writtenKey}`,
      { value },
      { kind: "written", label: "other", value },
    );
  }

  return {
    acknowledged,
    problems,
    async begin(url) {
      const client = createClient(url);
      for (const [label, kind] of sources) {
        const body = { component_code: code(label, kind), name: label };
        const text = await claim(client, "POST", "/v1/sources", body, { kind: "source", label });
        const { data } = JSON.parse(text) as {
          data: { id: string; configured_props: { http?: { endpoint_url: string } } };
        };
        const endpoint = data.configured_props.http?.endpoint_url;
        deployed.set(label, { id: data.id, path: endpoint === undefined ? "" : new URL(endpoint).pathname });
      }
      const [from, to] = [deployed.get(emitter)?.id, deployed.get("chained")?.id];
      await client.send("POST", `/v1/subscriptions?emitter_id=${from}&listener_id=${to}`);
      client.close();
    },
    start(url) {
      const state = { going: true };
      const lane = async (work: (client: Client) => Promise<void>, pauseMs: number): Promise<void> => {
        const client = createClient(url);
        try {
          while (state.going) {
            await work(client);
            await pause(pauseMs);
          }
        } catch {
          // The service was killed: what it did not answer is not acknowledged.
        }
        client.close();
      };
      const lanes = Promise.all([
        ...["plain", "other", "answering"].map((label) => lane((client) => request(client, label), 5)),
        lane(live, 20),
        lane(write, 20),
      ]);
      return async () => {
        state.going = false;
        await lanes;
      };
    },
  };
}
