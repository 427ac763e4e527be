import { type UserRuntime, XError } from "@x/runtime";

/** Sources and workflows: both have the same routes for events, under different paths. */
export interface EmitterKind {
  readonly folder: "/sources/:id" | "/workflows/:id";
  readonly noun: "source" | "workflow";
  readonly tag: "Events" | "Workflows";
  /** Part of the names of routes. */
  readonly infix: "" | "Workflow";
  readonly eventSchema: "EventSummary" | "WorkflowEventSummary";
  readonly idPrefix: "dc_" | "p_";
}

export const emitterKinds: readonly EmitterKind[] = [
  {
    folder: "/sources/:id",
    noun: "source",
    tag: "Events",
    infix: "",
    eventSchema: "EventSummary",
    idPrefix: "dc_",
  },
  {
    folder: "/workflows/:id",
    noun: "workflow",
    tag: "Workflows",
    infix: "Workflow",
    eventSchema: "WorkflowEventSummary",
    idPrefix: "p_",
  },
];

/** Throws `not_found` for an id of the other kind. */
export function checkKind({ idPrefix, noun }: Pick<EmitterKind, "idPrefix" | "noun">, id: string): void {
  if (!id.startsWith(idPrefix)) throw new XError("not_found", [noun, id]);
}

/** Rejects with `not_found` unless the user has such a source or workflow. */
export async function checkEmitter(runtime: UserRuntime, id: string): Promise<void> {
  await (id.startsWith("p_") ? runtime.findWorkflow(id) : runtime.source(id));
}
