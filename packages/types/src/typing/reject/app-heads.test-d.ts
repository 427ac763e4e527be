/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp } from "@x/types";

// # a misspelt slug, with everything else in order
defineApp({
  type: "app",
  // @ts-expect-error -- ap: 'ap' does not exist
  ap: "acme",
  propDefinitions: {
    team: {
      type: "string",
      async options({ page }) {
        return this.teams(page);
      },
    },
  },
  methods: {
    teams(page: number): string[] {
      return [String(page), this.$auth["key"] ?? ""];
    },
  },
});

// # an app of another type
defineApp({
  // @ts-expect-error -- type: Type '"apps"' is not assignable to type '"app"'
  type: "apps",
  app: "acme",
  propDefinitions: {
    team: {
      type: "string",
      async options({ page }) {
        return this.teams(page);
      },
    },
  },
  methods: {
    teams(page: number): string[] {
      return [String(page)];
    },
  },
});
