import type { Component, Execution, LoadedTrigger, Source } from "@x/model";
import type { GuestResponse } from "@x/sandbox";

/**
 * A source whose deploy or activate hook is running. Many services call an endpoint while the hook that registers it
 * still waits for their response, so such a request must not wait for the hook.
 */
export interface Transition {
  readonly source: Source;
  readonly component: Component;
  /** Runs a stored trigger, which is being loaded, during the hook; its changes are committed with the transition. */
  run(trigger: Promise<LoadedTrigger>, respond?: (response: GuestResponse) => void): Promise<Execution>;
}

export interface Transitions {
  begin(transition: Transition): void;
  end(sourceId: string): void;
  bySource(sourceId: string): Transition | undefined;
  byEndpoint(key: string): Transition | undefined;
}

export function createTransitions(): Transitions {
  const running = new Map<string, Transition>();
  return {
    begin: (transition) => void running.set(transition.source.id, transition),
    end: (sourceId) => void running.delete(sourceId),
    bySource: (sourceId) => running.get(sourceId),
    byEndpoint: (key) => [...running.values()].find(({ source }) => Object.values(source.endpoints).includes(key)),
  };
}
