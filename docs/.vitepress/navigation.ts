import { readFileSync } from "node:fs";

import type { DefaultTheme } from "vitepress";

/** A group of the navigation: the paths of its pages in `docs/`, without `.md`, in their order. */
interface Group {
  readonly text: string;
  readonly pages: readonly string[];
}

const groups: readonly Group[] = [
  {
    text: "Tutorial",
    pages: [
      "tutorial/1-make-a-project",
      "tutorial/2-run-it",
      "tutorial/3-change-it",
      "tutorial/4-test-it",
      "tutorial/5-deploy-it",
      "tutorial/6-look-inside",
      "tutorial/7-make-a-test-of-a-run",
    ],
  },
  {
    text: "Guides",
    pages: [
      "guides/polling",
      "guides/webhook",
      "guides/app-events",
      "guides/cursor-and-dedupe",
      "guides/choices",
      "guides/accounts",
      "guides/workflows",
      "guides/event-schemas",
      "guides/testing",
      "guides/bring-your-components",
      "guides/from-cron",
      "guides/embedding",
      "guides/operating",
    ],
  },
  {
    text: "Concepts",
    pages: [
      "concepts/one-event",
      "concepts/one-change",
      "concepts/transactions",
      "concepts/what-runs-where",
      "concepts/security",
    ],
  },
  { text: "Help", pages: ["troubleshooting"] },
  { text: "Components", pages: ["authoring", "testing", "accounts", "errors", "cli"] },
  { text: "Running a service", pages: ["deploy", "operations", "postgres", "scaling"] },
  { text: "Watching it", pages: ["inspector", "executions", "metrics", "logs", "traces"] },
  {
    text: "From your code",
    pages: ["rest", "embedding", "reference/runtime", "reference/testing", "reference/server", "reference/client"],
  },
  { text: "Inside", pages: ["performance", "main-thread", "engine", "decisions/"] },
];

/** The heading of a page. */
function titleOf(page: string): string {
  const file = new URL(`../${page.replace(/\/$/, "/README")}.md`, import.meta.url);
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(file, "utf8")) ?? [];
  return title;
}

const itemsOf = (group: Group): DefaultTheme.SidebarItem => ({
  text: group.text,
  // Open where the page is in it.
  collapsed: true,
  items: group.pages.map((page) => ({ text: titleOf(page), link: `/${page}` })),
});

/** The links at the top of each page, and the pages beside it. */
export const navigation: Required<Pick<DefaultTheme.Config, "nav" | "sidebar">> = {
  nav: [
    { text: "Tutorial", link: "/tutorial/1-make-a-project", activeMatch: "^/tutorial/" },
    { text: "Guides", link: "/guides/polling", activeMatch: "^/guides/" },
    { text: "Concepts", link: "/concepts/one-event", activeMatch: "^/concepts/" },
    { text: "Reference", link: "/authoring", activeMatch: "^/(?!tutorial/|guides/|concepts/|troubleshooting).+" },
    { text: "Troubleshooting", link: "/troubleshooting" },
  ],
  sidebar: groups.map(itemsOf),
};
