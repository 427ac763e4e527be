import { type SourceView, type UserRuntime, XError } from "@x/runtime";

import type { ParameterOf } from "../schema.ts";
import { viewActivity } from "@x/resources";

export interface ExpandQuery {
  readonly expand?: "" | "state";
}

/** `expand=state` adds what a source does now. */
export const expandState: ParameterOf<"string"> & { readonly enum: readonly ["", "state"] } = {
  type: "string",
  enum: ["", "state"],
  description: '"state"',
  shownAs: { type: "string", enum: ["state"] },
};

/** The ids that a list is restricted to. */
export const idsParameter: ParameterOf<"string"> = {
  type: "string",
  maxLength: 4_000,
  pattern: "^([A-Za-z0-9_]+(,[A-Za-z0-9_]+){0,99})?$",
  description: "at most 100 ids, separated by commas",
};

/** The member `state` of a source or workflow, when it is asked for. */
export const stateOf = async (runtime: UserRuntime, view: SourceView, { expand }: ExpandQuery): Promise<object> =>
  expand === "state" ? { state: viewActivity(await runtime.activity(view.source.id), view) } : {};

/** The sources with these ids, without those that do not exist. */
export async function findSources(runtime: UserRuntime, ids: string): Promise<SourceView[]> {
  const found = await Promise.all(
    [...new Set(ids.split(","))].map((id) =>
      runtime.source(id).catch((error: unknown) => {
        if (XError.is(error) && error.code === "not_found") return undefined;
        throw error;
      }),
    ),
  );
  return found.filter((view) => view !== undefined);
}
