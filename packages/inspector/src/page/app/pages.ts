import type { ComponentType } from "preact";

import type { IconName } from "../ui/icon.tsx";
import type { Params } from "./location.ts";

/** What a page gets. */
export interface PageProps {
  readonly params: Params;
}

export interface Page {
  /** Its path, such as `/sources/:id/:tab?`. */
  readonly pattern: string;
  /** Its entry in the navigation. */
  readonly nav?: { readonly label: string; readonly icon: IconName };
  /** The entry that is marked while it is shown, when it has none itself: the path of that page. */
  readonly under?: string;
  /** Loads the code of the page. */
  load(): Promise<{ readonly default: ComponentType<PageProps> }>;
}

/** Every page, in the order of the navigation; the first one that matches is shown. */
export const pages: readonly Page[] = [
  {
    pattern: "/sources",
    nav: { label: "Sources", icon: "sources" },
    load: () => import("../sources/sources-page.tsx"),
  },
];

/** Where the inspector begins. */
export const startPath = "/sources";
