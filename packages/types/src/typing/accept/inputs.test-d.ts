/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";
import type { OptionsArguments } from "@x/types";

import { same } from "../same.cases.ts";

// # inputs that options name, more of them, optional ones, and those that nobody typed
declare const untyped: any;
const tracker = defineApp({
  type: "app",
  app: "tracker",
  propDefinitions: {
    org: { type: "string" },
    team: { type: "string", optional: true },
    repo: {
      type: "string",
      async options({ org, query }: { org: string; query?: string }) {
        return [org, query ?? ""];
      },
    },
    branch: {
      type: "string",
      async options({ page, repo = "" }: { page: number; repo?: string }) {
        return [repo, String(page)];
      },
    },
    loose: {
      type: "string",
      async options({ org }) {
        return [org];
      },
    },
    paged: {
      type: "string",
      async options({ page, prevContext }: OptionsArguments) {
        return [String(page), String(prevContext.next)];
      },
    },
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    tracker,
    org: { propDefinition: [tracker, "org"] },
    team: { propDefinition: [tracker, "team"] },
    a: { propDefinition: [tracker, "repo", ({ org }) => ({ org, more: 1 })] },
    b: { propDefinition: [tracker, "repo", ({ team }) => ({ org: team })] },
    c: { propDefinition: [tracker, "repo", () => untyped] },
    d: { propDefinition: [tracker, "repo", async ({ org }) => ({ org })] },
    e: { propDefinition: [tracker, "repo"], options: ["own"] },
    f: { propDefinition: [tracker, "branch"] },
    g: { propDefinition: [tracker, "branch", ({ org }) => ({ org })] },
    h: { propDefinition: [tracker, "loose"] },
    i: { propDefinition: [tracker, "paged", () => ({ org: "a" })] },
    j: {
      propDefinition: [
        tracker,
        "repo",
        ({ team }) => {
          if (team !== undefined) return { org: team };
          return undefined;
        },
      ],
    },
  },
  run() {
    same<typeof this.a, string>();
  },
});

// # an app gives inputs to what it inherits, or leaves them to the component
const forge = defineApp({
  type: "app",
  app: "forge",
  propDefinitions: {
    fixed: { propDefinition: [tracker, "repo", { org: "a" }] },
    open: { propDefinition: [tracker, "repo"] },
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    forge,
    org: { type: "string" },
    fixed: { propDefinition: [forge, "fixed"] },
    open: { propDefinition: [forge, "open", ({ org }) => ({ org })] },
  },
  run() {
    same<typeof this.open, string>();
  },
});
