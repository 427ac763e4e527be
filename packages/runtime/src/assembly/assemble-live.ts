import { createLive, type Live } from "../events/live.ts";
import { type CommitTimes, createCommitTimes } from "../executions/commit-times.ts";
import { createLiveExecutions, type LiveExecutions } from "../executions/live-executions.ts";

/** Events and executions as they are committed. */
export interface LiveParts {
  readonly live: Live;
  readonly liveExecutions: LiveExecutions;
  readonly commitTimes: CommitTimes;
  /** Ends the listeners that use this API key. */
  revoked(apiKey: string): void;
  closeLive(): void;
}

/** `isValid` checks an API key. `share` adds the executions of other nodes. */
export function assembleLive(
  isValid: (apiKey: string) => boolean,
  share: (own: LiveExecutions) => LiveExecutions = (own) => own,
): LiveParts {
  const live = createLive(isValid);
  const liveExecutions = share(createLiveExecutions(isValid));
  return {
    live,
    liveExecutions,
    commitTimes: createCommitTimes(),
    revoked(apiKey) {
      live.revoke(apiKey);
      liveExecutions.revoke(apiKey);
    },
    closeLive() {
      live.close();
      liveExecutions.close();
    },
  };
}
