import { relative } from "node:path";

import { type ComponentShape, type Runtime, XError } from "@x/runtime";

import { type AccountsByApp, unusedAccounts } from "../arguments/accounts-file.ts";
import { UsageError } from "../errors.ts";
import { checkAppEvent } from "../run/app-event.ts";
import type { DevState } from "./dev-state.ts";
import { hasRegistered } from "./emitter.ts";
import type { DevFile, Loaded } from "./dev-file.ts";

type Declares = Pick<ComponentShape, "props" | "additionalProps">;

/** What loaded files declare: a workflow has no props. */
export const shapesOf = (loaded: readonly Loaded[]): (Declares | undefined)[] =>
  loaded.map((each) => (each.ok ? (each.emitter.shape ?? { props: [] }) : undefined));

/**
 * Throws `UsageError` for a prop that no component has, unless a component could not be read: it may have the prop.
 */
export function checkProps(given: readonly string[], shapes: readonly (Declares | undefined)[]): void {
  const acceptsAny = shapes.some((shape) => shape === undefined || shape.additionalProps === true);
  const known = new Set(shapes.flatMap((shape) => shape?.props.map(({ name }) => name) ?? []));
  const extra = given.find((name) => !known.has(name));
  if (acceptsAny || extra === undefined) return;
  const choice = known.size > 0 ? `there are ${[...known].join(", ")}` : "there are none";
  throw new UsageError(`No component here has a prop "${extra}"; ${choice}`);
}

/** The warning for accounts that no component has an app prop for; undefined while a component cannot be read. */
export function findUnused(given: AccountsByApp, loaded: readonly Loaded[]): string | undefined {
  if (!loaded.every(({ ok }) => ok)) return undefined;
  const shapes = loaded.flatMap((each) => (each.ok && each.emitter.shape ? [each.emitter.shape] : []));
  return unusedAccounts("the components here have", shapes, given);
}

/** Throws `UsageError` unless a source listens to events of an app with this name. */
export function checkAppEvents(name: string, files: readonly Pick<DevFile, "emitter">[]): void {
  const hooks = files.flatMap(({ emitter }) => emitter?.appHooks ?? []);
  checkAppEvent(hooks, name);
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
