import type { SourceView, UserRuntime } from "@x/runtime";

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

/** The member `state` of a source or workflow, when it is asked for. */
export const stateOf = async (runtime: UserRuntime, view: SourceView, { expand }: ExpandQuery): Promise<object> =>
  expand === "state" ? { state: viewActivity(await runtime.activity(view.source.id), view) } : {};
