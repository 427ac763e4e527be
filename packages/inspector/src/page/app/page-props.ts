import type { Params } from "./location.ts";

/** What a page gets. */
export interface PageProps {
  readonly params: Params;
}
