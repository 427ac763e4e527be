import { relative } from "node:path";

import { type Runtime, XError } from "@x/runtime";

import { type AccountsByApp, rejectUnknownAccounts } from "../arguments/accounts-file.ts";
import { UsageError } from "../errors.ts";
import type { DevState } from "./dev-state.ts";
import { hasRegistered } from "./emitter.ts";
import type { DevFile, Loaded } from "./dev-file.ts";

/** Throws `UsageError` for a prop that no component has, unless a component could not be read: it may have the prop. */
export function checkProps(given: readonly string[], loaded: readonly Loaded[]): void {
  const emitters = loaded.map((each) => (each.ok ? each.emitter : undefined));
  const acceptsAny = emitters.some((each) => each === undefined || each.shape?.additionalProps === true);
  const known = new Set(emitters.flatMap((each) => each?.shape?.props.map(({ name }) => name) ?? []));
  const extra = given.find((name) => !known.has(name));
  if (acceptsAny || extra === undefined) return;
  const choice = known.size > 0 ? `there are ${[...known].join(", ")}` : "there are none";
  throw new UsageError(`No component here has a prop "${extra}"; ${choice}`);
}

/** Throws `UsageError` for an account that no component has an app prop for, unless a component could not be read. */
export function checkAccounts(given: AccountsByApp, loaded: readonly Loaded[]): void {
  if (!loaded.every(({ ok }) => ok)) return;
  const shapes = loaded.flatMap((each) => (each.ok && each.emitter.shape ? [each.emitter.shape] : []));
  rejectUnknownAccounts("the components here have", shapes, given);
}

/** Deactivates the sources whose hooks have registered endpoints. */
export async function pauseRegistered(runtime: Runtime, files: readonly DevFile[]): Promise<void> {
  const registered = files.flatMap(({ emitter }) => (emitter && hasRegistered(emitter) ? emitter.id : []));
  for (const id of registered) await runtime.update(id, { active: false, ignoreHookErrors: true });
}

/** Deactivates the sources of earlier starts whose files are not among these; resolves with the names of their files. */
export async function pauseOthers(runtime: Runtime, state: DevState, files: readonly DevFile[]): Promise<string[]> {
  const current = new Set(files.map(({ emitter }) => emitter?.id));
  const paused: string[] = [];
  for (const { file, sourceId } of state.entries()) {
    if (current.has(sourceId)) continue;
    try {
      await runtime.update(sourceId, { active: false, ignoreHookErrors: true });
      paused.push(relative(process.cwd(), file));
    } catch (error) {
      if (!XError.is(error) || error.code !== "not_found") throw error;
    }
  }
  return paused;
}
