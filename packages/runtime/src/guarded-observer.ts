import { shownEvent } from "./events/shown-events.ts";
import type { ObservedExecution } from "./model/model.ts";
import type { Logger, RuntimeOptions } from "./api/options.ts";
import { shownSource } from "./sources/source-record.ts";

/** Shows calls that have ended to whoever watches, who cannot stop what is watched. */
export const guardedObserver =
  (
    observe: NonNullable<RuntimeOptions["observe"]>,
    logger: Logger,
    endpointUrl: (key: string) => string,
  ): ((observed: ObservedExecution) => void) =>
  (observed) => {
    try {
      const source = shownSource(observed.source, endpointUrl);
      observe({ ...observed, source, emitted: observed.emitted.map(shownEvent) });
    } catch (error) {
      logger.error("observe threw", { source: observed.source.id, error: String(error) });
    }
  };
