import { isDeepStrictEqual } from "node:util";

import type { Random } from "./random.ts";
import { type HookCall, type Registrations, registeringText } from "./registrations.ts";
import { apiKey, ask } from "./service.child.ts";

/** The observable state of a source; undefined: it does not exist. */
type State = { readonly mark: string; readonly active: boolean } | undefined;

interface Change {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: object;
  readonly to: State;
  /** The hooks that called the service at which the source registers. */
  readonly hooks: readonly string[];
}

interface SourceBody {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly component_id: string;
  readonly configured_props: { readonly http: { readonly endpoint_url: string } };
}

/** A source that a client deploys, updates, pauses, resumes and deletes, in sequence. */
interface Changing {
  readonly name: string;
  id: string | undefined;
  /** Of its last version. */
  version: number;
  state: State;
  /** The change without an answer. */
  cutOff: Change | undefined;
}

/** Sources that change continuously, and their acknowledged states. */
export interface ChangingSources {
  /** Changes them until the service has ended. */
  changeUntilGone(url: string): Promise<void>;
  /** Violated guarantees after a restart. */
  judge(url: string): Promise<string[]>;
  /** Numbers of changes with and without an answer. */
  readonly counts: { acknowledged: number; cutOff: number; undone: number };
}

const secretOf = (name: string): string => `secret-of-${name}`;
/** Maximum duration of the hooks after a restart. */
const longestRecoveryMs = 15_000;

/** Number of hooks that a problem lists. */
const lastCalls = 24;

const isIn = (hooks: readonly string[], calls: readonly HookCall[]): boolean => {
  let next = 0;
  for (const { hook, mark } of calls) if (`${hook} ${mark}` === hooks[next]) next += 1;
  return next === hooks.length;
};

/** The next change of a source: a deploy when it does not exist, otherwise another change. */
function plan(source: Changing, upstream: Registrations, random: Random): Change {
  const { name, state } = source;
  const mark = `${name}-v${++source.version}`;
  const body = { name, component_code: registeringText(upstream.url, name, mark) };
  const to = { mark, active: true };
  if (!state) {
    const configured = { ...body, configured_props: { secret: secretOf(name) } };
    return { method: "POST", body: configured, to, hooks: [`deploy ${mark}`, `activate ${mark}`] };
  }
  const before = state.active ? [`deactivate ${state.mark}`] : [];
  const choice = random();
  if (choice < 0.2) return { method: "DELETE", to: undefined, hooks: before };
  if (choice < 0.6) return { method: "PUT", body, to, hooks: [...before, `activate ${mark}`] };
  const active = !state.active;
  const hooks = active ? [`activate ${state.mark}`] : before;
  return { method: "PATCH", body: { active }, to: { mark: state.mark, active }, hooks };
}

async function listed(url: string): Promise<readonly SourceBody[]> {
  const { data } = await ask<{ data: SourceBody[] }>(url, "GET", "/users/me/sources?limit=100");
  return data.filter(({ name }) => name.startsWith("changing-"));
}

/** The expected registrations: marks by endpoint. */
const expected = (found: readonly SourceBody[], marks: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    found
      .filter(({ active }) => active)
      .map((source) => {
        const key = source.configured_props.http.endpoint_url.split("/").pop() ?? "";
        return [key, marks.get(source.id) ?? ""];
      }),
  );

/** An interrupted deploy is undone in the lane of a source that no client knows. */
async function agreesInTime(upstream: Registrations, wanted: ReadonlyMap<string, string>): Promise<boolean> {
  const late = AbortSignal.timeout(longestRecoveryMs);
  const end = new Promise<void>((resolve) => {
    late.addEventListener("abort", () => resolve());
  });
  while (!isDeepStrictEqual(upstream.registered, wanted)) {
    if (late.aborted) return false;
    await Promise.race([upstream.next(), end]);
  }
  return true;
}

const say = (what: State): string => (what ? `${what.mark} ${what.active ? "active" : "inactive"}` : "gone");

export function createChangingSources(count: number, upstream: Registrations, random: Random): ChangingSources {
  const sources = Array.from({ length: count }, (_, n): Changing => {
    return { name: `changing-${n}`, id: undefined, version: 0, state: undefined, cutOff: undefined };
  });
  const counts = { acknowledged: 0, cutOff: 0, undone: 0 };
  const problems: string[] = [];

  /** False: the service has ended. */
  async function change(source: Changing, url: string): Promise<boolean> {
    const planned = plan(source, upstream, random);
    const callsBefore = upstream.calls.length;
    source.cutOff = planned;
    try {
      const response = await fetch(`${url}/v1/sources${source.state ? `/${source.id}` : ""}`, {
        method: planned.method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        ...(planned.body && { body: JSON.stringify(planned.body) }),
      });
      if (!response.ok) {
        problems.push(`${source.name}: ${planned.method} answered ${response.status} ${await response.text()}`);
        return false;
      }
      // The status line is the promise; the body may be cut off by the kill.
      source.cutOff = undefined;
      source.state = planned.to;
      counts.acknowledged += 1;
      const calls = upstream.calls.slice(callsBefore).filter(({ name }) => name === source.name);
      if (!isIn(planned.hooks, calls))
        problems.push(`${source.name}: ${planned.method} ended without ${planned.hooks.join(", ")}`);
      const text = await response.text();
      if (planned.method === "POST") source.id = (JSON.parse(text) as { data: SourceBody }).data.id;
      return true;
    } catch {
      return false;
    }
  }

  /** An empty change waits for unfinished ones in the lane of its source. */
  async function waitForLane(url: string, id: string): Promise<void> {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v1/sources/${id}`, { method: "PATCH", headers, body: "{}" });
    const text = await response.text();
    if (!response.ok && response.status !== 404) problems.push(`${id}: PATCH {} answered ${response.status} ${text}`);
  }

  function settle(source: Changing, found: SourceBody | undefined, mark: string): void {
    const state: State = found && { mark, active: found.active };
    const { cutOff } = source;
    const isLegal = isDeepStrictEqual(state, source.state) || (cutOff && isDeepStrictEqual(state, cutOff.to));
    if (!isLegal)
      problems.push(
        `${source.name}: is ${say(state)}, was ${say(source.state)}${cutOff ? `, ${cutOff.method} to ${say(cutOff.to)} was cut off` : ""}`,
      );
    if (cutOff) {
      counts.cutOff += 1;
      if (isDeepStrictEqual(state, source.state)) counts.undone += 1;
    }
    Object.assign(source, { state, id: found?.id, cutOff: undefined });
  }

  return {
    counts,
    async changeUntilGone(url) {
      await Promise.all(
        sources.map(async (source) => {
          while (await change(source, url));
        }),
      );
    },
    async judge(url) {
      for (const { id } of sources) if (id !== undefined) await waitForLane(url, id);
      const found = await listed(url);
      const marks = new Map<string, string>();
      for (const { id, component_id: component } of found) {
        const { data } = await ask<{ data: { version: string } }>(url, "GET", `/components/${component}`);
        marks.set(id, data.version);
      }
      for (const source of sources) {
        const own = found.filter(({ name }) => name === source.name);
        if (own.length > 1) problems.push(`${source.name}: is there ${own.length} times`);
        settle(source, own[0], marks.get(own[0]?.id ?? "") ?? "");
      }
      const wanted = expected(found, marks);
      if (!(await agreesInTime(upstream, wanted)))
        problems.push(
          `registered ${JSON.stringify([...upstream.registered])}, but active ${JSON.stringify([...wanted])}, after ${upstream.calls
            .slice(-lastCalls)
            .map(({ hook, mark, key }) => `${hook} ${mark} ${key}`)
            .join(", ")}`,
        );
      for (const { name, hook, secret } of upstream.calls)
        if (name.startsWith("changing-") && secret !== secretOf(name))
          problems.push(`${name}: ${hook} had the secret "${secret}"`);
      return problems.splice(0);
    },
  };
}
