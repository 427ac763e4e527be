import type { Component, Source } from "@x/client";

/** What a tab gets. */
export interface SourceTabProps {
  readonly source: Source;
  readonly component: Component;
  /** Reads the source again, after a change. */
  readonly reload: () => void;
}
