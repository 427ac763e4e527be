import type { ComponentShape } from "@x/runtime";

import type { SourceOptions } from "../source-options.ts";
import type { RequestParts } from "../traffic/request-line.ts";
import type { SourceUnderTest } from "../under-test.ts";

/** The options of `source`, and what triggers the component besides its timer. */
export interface ConformanceOptions<Component = unknown> extends SourceOptions<Component> {
  /** Requests as its senders make them: lines such as `POST /`, or a line with its parts. */
  readonly requests?: readonly (string | readonly [line: string, parts: RequestParts])[];
  /** Events for `run`. */
  readonly events?: readonly unknown[];
}

/** Triggers the component. */
export interface Stimulus {
  readonly hasTimer: boolean;
  /** One tick of the timer, each request, each event; one run when there is none of these. */
  apply(feed: SourceUnderTest): Promise<void>;
}

export function createStimulus(types: readonly string[], { requests, events = [] }: ConformanceOptions): Stimulus {
  const hasTimer = types.includes("$.interface.timer");
  const hasHttp = types.includes("$.interface.http");
  const sent = requests ?? (hasHttp && events.length === 0 ? [["POST /", { body: {} }] as const] : []);
  return {
    hasTimer,
    async apply(feed) {
      if (hasTimer) await feed.tick();
      for (const request of sent) {
        const [line, parts] = typeof request === "string" ? [request, {}] : request;
        await feed.request(line, parts);
      }
      for (const event of events) await feed.run(event);
      if (!hasTimer && sent.length + events.length === 0) await feed.run();
    },
  };
}

/** What a check can use. */
export interface CheckContext {
  readonly shape: ComponentShape;
  readonly stimulus: Stimulus;
  readonly options: ConformanceOptions;
  /** Deploys a new source with these settings. */
  open(settings?: { readonly warm?: boolean }): Promise<SourceUnderTest>;
}

/** A property that every source should have. */
export interface Check {
  readonly title: string;
  /** The reason to skip the check for this component; undefined to run it. */
  skip?(context: CheckContext): string | undefined;
  /** Resolves with the problem; undefined when there is none. */
  find(context: CheckContext): Promise<string | undefined>;
}
