import type { Json, WorkflowInput, WorkflowView } from "@x/runtime";

import { type ErrorBody, type EventBody, type List, type Reply, type Service } from "./fixture.ts";

/** Module text of a workflow of one step; `run` is the body of its run function. */
export const oneStep = (run: string, name: string, more = ""): string =>
  `export default { name: ${JSON.stringify(name)}, ${more} steps: [{ type: "action", name: "only", async run({ steps, $ }) {
  ${run} } }] };`;

/** The body of a step that emits its event. */
export const echo = "$.send.emit({ got: steps.trigger.event })";

type Stream = "" | "$errors/" | "%24errors/" | "$logs/";

/** Operations on workflows for tests. */
export interface WorkflowTrial {
  /** Registers under a new name. */
  register(input: Omit<WorkflowInput, "name">): Promise<WorkflowView>;
  /** A workflow that emits its event. */
  echoing(more?: Partial<WorkflowInput>): Promise<WorkflowView>;
  /** Runs it, and all runs and deliveries that follow. */
  runAll(id: string, event?: Json): Promise<void>;
  /** Expanded summaries of a stream, oldest first. */
  events(id: string, stream?: Stream): Promise<EventBody[]>;
  /** The events of these summaries. */
  shown(id: string, stream?: Stream): Promise<(Json | undefined)[]>;
  subscribe(emitter: string, listener: string, eventName?: string): Promise<Reply<ErrorBody>>;
}

export function createWorkflowTrial(service: Service): WorkflowTrial {
  let names = 0;
  const { runtime } = service;
  const trial: WorkflowTrial = {
    register: (input) => runtime.workflow({ name: `Workflow ${++names}`, ...input }),
    echoing: (more = {}) => trial.register({ code: oneStep(echo, ""), ...more }),
    async runAll(id, event = {}) {
      await runtime.invoke(id, { event });
      await runtime.idle();
    },
    async events(id, stream = "") {
      await runtime.idle();
      const path = `/workflows/${id}/${stream}event_summaries?expand=event&limit=100`;
      return (await service.call<List<EventBody>>("GET", path)).body.data.toReversed();
    },
    shown: async (id, stream) => (await trial.events(id, stream)).map(({ event }) => event),
    subscribe(emitter_id, listener_id, event_name = "") {
      const query = new URLSearchParams({ emitter_id, listener_id, event_name }).toString();
      return service.call("POST", `/subscriptions?${query}`);
    },
  };
  return trial;
}
