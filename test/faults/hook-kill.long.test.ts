import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startServiceHere } from "../../packages/cli/src/serve/service-here.cases.ts";
import { type Registrations, registeringText, refusedMark, startRegistrations } from "./registrations.ts";
import { apiKey, ask, killAll, startService } from "./service.child.ts";

interface SourceBody {
  readonly id: string;
  readonly active: boolean;
  readonly configured_props: { readonly http: { readonly endpoint_url: string } };
}

/** A change of a source, and the hook during which the process is killed. */
interface Case {
  readonly change: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: object;
  /** In the form `<hook> <mark>`. */
  readonly killedIn: string;
  /** The source is paused before the change. */
  readonly paused?: true;
  /** Undefined: the source does not exist. */
  readonly ends?: { readonly active: boolean; readonly registered: string | undefined };
  /** The hooks that run after the restart, each with what it reads in the db. */
  readonly afterwards: readonly string[];
}

const cases: { readonly [name: string]: Case } = {
  "deploy-in-deploy": { change: "POST", killedIn: "deploy old", afterwards: ["deactivate old ()"] },
  "deploy-in-activate": { change: "POST", killedIn: "activate old", afterwards: ["deactivate old (deploy old)"] },
  "put-in-deactivate": {
    change: "PUT",
    killedIn: "deactivate old",
    ends: { active: true, registered: "new" },
    afterwards: ["deactivate old (activate old)", "activate new (activate old)"],
  },
  "put-in-activate": {
    change: "PUT",
    killedIn: "activate new",
    ends: { active: true, registered: "new" },
    afterwards: ["activate new (deactivate old)"],
  },
  "put-undone-in-activate": {
    change: "PUT",
    killedIn: "activate old",
    ends: { active: true, registered: "old" },
    afterwards: ["activate old (activate old)"],
  },
  "pause-in-deactivate": {
    change: "PATCH",
    body: { active: false },
    killedIn: "deactivate old",
    ends: { active: false, registered: undefined },
    afterwards: ["deactivate old (activate old)"],
  },
  "resume-in-activate": {
    change: "PATCH",
    body: { active: true },
    paused: true,
    killedIn: "activate old",
    ends: { active: true, registered: "old" },
    afterwards: ["activate old (deactivate old)"],
  },
  "delete-in-deactivate": {
    change: "DELETE",
    killedIn: "deactivate old",
    afterwards: ["deactivate old (activate old)"],
  },
};
const names = Object.keys(cases);

let folder: string;
let upstream: Registrations;
let service: Awaited<ReturnType<typeof startServiceHere>>;
let killedAt = 0;
let answers: readonly PromiseSettledResult<unknown>[] = [];
const deployed = new Map<string, SourceBody>();

const keyOf = (source: SourceBody): string => source.configured_props.http.endpoint_url.split("/").pop() ?? "";
const code = (name: string, mark: string): object => ({ component_code: registeringText(upstream.url, name, mark) });

function bodyOf(name: string, { change, body }: Case): object | undefined {
  if (change === "POST") return code(name, "old");
  if (change === "PUT") return code(name, name === "put-undone-in-activate" ? refusedMark : "new");
  return body;
}

/** One process is killed during all of these changes, each of another source. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-hook-kill-"));
  upstream = await startRegistrations();
  const first = await startService(join(folder, "data"), { args: ["--network", "allow-private"] });
  for (const [name, { change, paused }] of Object.entries(cases)) {
    if (change === "POST") continue;
    const { data } = await ask<{ data: SourceBody }>(first.url, "POST", "/sources", code(name, "old"));
    deployed.set(name, data);
    if (paused) await ask(first.url, "PATCH", `/sources/${data.id}`, { active: false });
  }
  const held = upstream.hold(({ name, hook, mark }) => cases[name]?.killedIn === `${hook} ${mark}`, names.length);
  const changes = Object.entries(cases).map(([name, each]) => {
    const path = each.change === "POST" ? "/sources" : `/sources/${deployed.get(name)?.id}`;
    return ask(first.url, each.change, path, bodyOf(name, each));
  });
  const answered = Promise.allSettled(changes);
  await held;
  await first.kill();
  answers = await answered;
  upstream.release();
  killedAt = upstream.calls.length;
  service = await startServiceHere(folder, { apiKey, network: { mode: "allow-private" } });
  await service.runtime.idle();
});
afterAll(async () => {
  await service.close();
  await killAll();
  await upstream[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test("no change that was killed in a hook was answered", () => {
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => "rejected"));
});

test.each(names)(
  "R076 R077 R078 R079 kill -9 in a hook, %s: hooks and source agree after the restart",
  async (name) => {
    const { afterwards, ends } = cases[name] as Case;
    const after = upstream.calls.slice(killedAt).filter((call) => call.name === name);
    expect(after.map(({ hook, mark, token }) => `${hook} ${mark} (${token})`)).toEqual(afterwards);
    const { items } = await service.runtime.sources({ limit: 100 });
    const found = items.find(({ source }) => source.nameSlug === name);
    expect(found && { id: found.source.id, active: found.source.active }).toEqual(
      ends && { id: deployed.get(name)?.id, active: ends.active },
    );
    const key = upstream.calls.findLast((call) => call.name === name)?.key ?? "";
    expect(upstream.registered.get(key)).toBe(ends?.registered);
    if (!found || !ends) return;
    expect(key).toBe(keyOf(deployed.get(name) as SourceBody));
    expect(found.component.shape.version).toBe(ends.registered ?? "old");
    // The writes of the hooks remain, and later changes work.
    const { status, error } = await service.runtime.invoke(found.source.id, { force: true });
    expect([status, error]).toEqual(["ok", null]);
    const { items: emitted } = await service.runtime.storedEvents(found.source.id, "emits", { limit: 10 });
    expect(emitted.map(({ payload }) => payload)).toEqual([JSON.stringify(ends.registered ?? "old")]);
  },
);
