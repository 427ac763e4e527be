import type { ComponentType } from "preact";

import type { SourceTabProps } from "./source-tab-props.ts";

export interface SourceTab {
  /** Its part of the path. */
  readonly id: string;
  readonly label: string;
  load(): Promise<{ readonly default: ComponentType<SourceTabProps> }>;
}

/** The parts of the page of a source; the first one is shown at first. */
export const sourceTabs: readonly [SourceTab, ...SourceTab[]] = [
  { id: "overview", label: "Overview", load: () => import("./overview-tab.tsx") },
  { id: "runs", label: "Runs", load: () => import("./runs-tab.tsx") },
  { id: "events", label: "Events", load: () => import("./events-tab.tsx") },
  { id: "errors", label: "Errors", load: () => import("./errors-tab.tsx") },
  { id: "requests", label: "Requests", load: () => import("./requests-tab.tsx") },
  { id: "props", label: "Props", load: () => import("./props-tab.tsx") },
  { id: "database", label: "Database", load: () => import("./database-tab.tsx") },
];
