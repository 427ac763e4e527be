import { relative } from "node:path";

import { type Runtime, XError } from "@x/runtime";

import { type GivenAccounts, refuseStrayAccounts } from "../given/given-accounts.ts";
import { UsageError } from "../errors.ts";
import type { Book } from "./book.ts";
import type { DevFile, Loaded } from "./dev-file.ts";

/** Throws `UsageError` for a prop that no component has; while one of them cannot be read, it may have it. */
export function checkProps(given: readonly string[], loaded: readonly Loaded[]): void {
  const emitters = loaded.map((each) => (each.ok ? each.emitter : undefined));
  const isOpen = emitters.some((each) => each === undefined || each.shape?.additionalProps === true);
  const known = new Set(emitters.flatMap((each) => each?.shape?.props.map(({ name }) => name) ?? []));
  const stranger = given.find((name) => !known.has(name));
  if (isOpen || stranger === undefined) return;
  const choice = known.size > 0 ? `there are ${[...known].join(", ")}` : "there are none";
  throw new UsageError(`No component here has a prop "${stranger}"; ${choice}`);
}

/** Throws `UsageError` for an account that no component has an app prop for, under the same condition. */
export function checkAccounts(given: GivenAccounts, loaded: readonly Loaded[]): void {
  if (!loaded.every(({ ok }) => ok)) return;
  const shapes = loaded.flatMap((each) => (each.ok && each.emitter.shape ? [each.emitter.shape] : []));
  refuseStrayAccounts("the components here have", shapes, given);
}

/** Lets the sources of files of earlier starts rest, or their timers would fire; gives the names of the files. */
export async function letOthersRest(runtime: Runtime, book: Book, files: readonly DevFile[]): Promise<string[]> {
  const here = new Set(files.map(({ emitter }) => emitter?.id));
  const resting: string[] = [];
  for (const { file, sourceId } of book.entries()) {
    if (here.has(sourceId)) continue;
    try {
      await runtime.update(sourceId, { active: false, ignoreHookErrors: true });
      resting.push(relative(process.cwd(), file));
    } catch (error) {
      if (!XError.is(error) || error.code !== "not_found") throw error;
    }
  }
  return resting;
}
