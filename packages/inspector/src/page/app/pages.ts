import type { ComponentType } from "preact";

import type { IconName } from "../ui/icon.tsx";
import { isFirstUser } from "./first-user.ts";
import { manualTime } from "./manual-clock.ts";
import type { PageProps } from "./page-props.ts";

export interface Page {
  /** Its path, such as `/sources/:id/:tab?`. */
  readonly pattern: string;
  /** Its entry in the navigation. */
  readonly nav?: {
    readonly label: string;
    readonly icon: IconName;
    /** A part of the page that is looked at often, beside its entry. */
    readonly part?: {
      readonly label: string;
      readonly about: string;
      readonly query: Readonly<Record<string, string>>;
    };
    /** Whether it is shown; default: always. */
    readonly when?: () => boolean;
  };
  /** The entry that is marked while it is shown, when it has none itself: the path of that page. */
  readonly under?: string;
  /** Loads the code of the page. */
  load(): Promise<{ readonly default: ComponentType<PageProps> }>;
}

/** Every page, in the order of the navigation; the first one that matches is shown. */
export const pages: readonly Page[] = [
  {
    pattern: "/overview",
    nav: { label: "Overview", icon: "overview" },
    load: () => import("../overview/overview-page.tsx"),
  },
  {
    pattern: "/sources",
    nav: { label: "Sources", icon: "sources" },
    load: () => import("../sources/sources-page.tsx"),
  },
  { pattern: "/sources/:id/:tab?", under: "/sources", load: () => import("../source/source-page.tsx") },
  {
    pattern: "/runs",
    nav: { label: "Runs", icon: "runs" },
    load: () => import("../runs/runs-page.tsx"),
  },
  { pattern: "/runs/:id", under: "/runs", load: () => import("../runs/run-page.tsx") },
  {
    pattern: "/logs",
    nav: {
      label: "Logs",
      icon: "logs",
      part: { label: "Errors", about: "Errors that all sources log", query: { level: "error" } },
    },
    load: () => import("../logs/logs-page.tsx"),
  },
  {
    pattern: "/flow",
    nav: { label: "Flow", icon: "flow" },
    load: () => import("../flow/flow-page.tsx"),
  },
  {
    pattern: "/webhooks",
    nav: { label: "Webhooks", icon: "webhooks" },
    load: () => import("../webhooks/webhooks-page.tsx"),
  },
  { pattern: "/webhooks/:id", under: "/webhooks", load: () => import("../webhooks/webhook-page.tsx") },
  {
    pattern: "/workflows",
    nav: { label: "Workflows", icon: "workflows" },
    load: () => import("../workflows/workflows-page.tsx"),
  },
  { pattern: "/workflows/:id", under: "/workflows", load: () => import("../workflows/workflow-page.tsx") },
  {
    pattern: "/data-stores",
    nav: { label: "Data stores", icon: "dataStores" },
    load: () => import("../data-stores/data-stores-page.tsx"),
  },
  { pattern: "/data-stores/:name", under: "/data-stores", load: () => import("../data-stores/data-store-page.tsx") },
  {
    pattern: "/deploy",
    nav: { label: "Deploy", icon: "deploy" },
    load: () => import("../deploy/deploy-page.tsx"),
  },
  {
    pattern: "/accounts",
    nav: { label: "Accounts", icon: "accounts" },
    load: () => import("../accounts/accounts-page.tsx"),
  },
  {
    pattern: "/apps",
    nav: { label: "Apps", icon: "apps" },
    load: () => import("../apps/apps-page.tsx"),
  },
  { pattern: "/apps/:app", under: "/apps", load: () => import("../apps/app-page.tsx") },
  {
    pattern: "/users",
    nav: { label: "Users", icon: "users", when: () => isFirstUser.value },
    load: () => import("../users/users-page.tsx"),
  },
  {
    pattern: "/clock",
    nav: { label: "Clock", icon: "clock", when: () => manualTime.value !== undefined },
    load: () => import("../clock/clock-page.tsx"),
  },
];

/** Where the inspector begins. */
export const startPath = "/sources";
