import type { JSX } from "preact";

import type { FollowState } from "../api/follow.ts";

const labels: Readonly<Record<FollowState, string>> = {
  connecting: "Connecting",
  open: "Live",
  waiting: "Connecting again",
  off: "Not live",
};

/** Whether new things come by themselves. */
export const Live = ({ state }: { readonly state: FollowState }): JSX.Element => (
  <span class="row dim" role="status">
    <span class={`dot ${state === "open" ? "live" : "hollow"}`} aria-hidden="true" />
    {labels[state]}
  </span>
);
