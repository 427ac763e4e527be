import { setImmediate } from "node:timers/promises";

import type { Logger, Runtime } from "@x/runtime";

const pageItems = 100;

/** How many sources of the first user have registered their endpoints under another base URL. */
async function countChanged(runtime: Runtime, stop: AbortSignal): Promise<number> {
  let count = 0;
  for (let after: string | undefined; !stop.aborted;) {
    const { items } = await runtime.sources({ limit: pageItems, ...(after !== undefined && { after }) });
    count += items.filter(({ endpointChanged }) => endpointChanged).length;
    after = items.at(-1)?.source.id;
    if (items.length < pageItems) break;
    // Requests come first.
    await setImmediate();
  }
  return count;
}

/** Logs one warning when sources have registered their endpoints elsewhere under URLs that may no longer lead here. */
export async function warnOfEndpoints(
  runtime: Runtime,
  logger: Pick<Logger, "warn">,
  stop: AbortSignal,
): Promise<void> {
  const count = await countChanged(runtime, stop);
  if (count > 0)
    logger.warn(
      `${count === 1 ? "a source has" : `${count} sources have`} registered endpoints under another base URL; run: x sources reactivate --all`,
    );
}
