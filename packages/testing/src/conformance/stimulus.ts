import type { RequestParts } from "../traffic/request-line.ts";
import type { SourceOptions } from "../source-options.ts";
import type { SourceUnderTest } from "../source-under-test.ts";

/** What makes a component work, beside its timer. */
export interface ConformanceOptions<Component = unknown> extends SourceOptions<Component> {
  /** Requests as its senders make them: lines such as `POST /`, or a line with its parts. */
  readonly requests?: readonly (string | readonly [line: string, parts: RequestParts])[];
  /** Events to run it with. */
  readonly events?: readonly unknown[];
}

/** How the component is brought to work, once. */
export interface Stimulus {
  readonly hasTimer: boolean;
  readonly hasHttp: boolean;
  /** One tick of the timer, each request, each event; one run when there is none of these. */
  apply(feed: SourceUnderTest): Promise<void>;
}

export function createStimulus(types: readonly string[], { requests, events = [] }: ConformanceOptions): Stimulus {
  const hasTimer = types.includes("$.interface.timer");
  const hasHttp = types.includes("$.interface.http");
  const sent = requests ?? (hasHttp && events.length === 0 ? [["POST /", { body: {} }] as const] : []);
  return {
    hasTimer,
    hasHttp,
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
