/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";
import type { OptionsArguments } from "@x/types";

import { same } from "../same.cases.ts";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: { type: "string" },
    board: {
      type: "string",
      optional: true,
      async options({ team, page }) {
        return await this.boards(team, page);
      },
    },
  },
  methods: {
    async boards(team: string, page: number): Promise<string[]> {
      return [team, String(page)];
    },
  },
});

// # an option method's arguments are known, and it does not hide the type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    project: {
      type: "integer",
      optional: true,
      options({ page, prevContext }) {
        same<typeof page, number>();
        return [page, Number(prevContext.next ?? 0)];
      },
    },
  },
  run() {
    same<typeof this.project, number | undefined>();
  },
});

// # an option method reads props that stand before it
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    base: { type: "string" },
    project: {
      type: "integer",
      async options() {
        same<typeof this.base, string>();
        return [this.base.length];
      },
    },
  },
  run() {
    same<typeof this.project, number>();
    same<typeof this.base, string>();
  },
});

// # an option method reads props that stand after it
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    project: {
      type: "string",
      async options() {
        same<typeof this.limit, number>();
        return [String(this.limit)];
      },
    },
    limit: { type: "integer" },
  },
  run() {
    same<typeof this.limit, number>();
  },
});

// # an option method calls a method that stands after it
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    project: {
      type: "string",
      async options() {
        return this.names();
      },
    },
  },
  methods: {
    names(): string[] {
      return ["a"];
    },
  },
  run() {
    same<typeof this.project, string>();
    same<ReturnType<typeof this.names>, string[]>();
  },
});

// # an option method calls a method that stands before it
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    names(): string[] {
      return [this.base];
    },
  },
  props: {
    base: { type: "string" },
    project: {
      type: "string",
      options() {
        return this.names();
      },
    },
  },
  run() {
    same<typeof this.project, string>();
    same<ReturnType<typeof this.names>, string[]>();
  },
});

// # an option method uses an app, and the credentials of its account
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    project: {
      type: "string",
      async options({ page }) {
        same<ReturnType<typeof this.acme.boards>, Promise<string[]>>();
        return await this.acme.boards(this.acme.$auth["team"] ?? "", page);
      },
    },
  },
  run() {
    same<typeof this.project, string>();
  },
});

// # option methods of several props read each other
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: { propDefinition: [acme, "team"] },
    one: {
      type: "string",
      async options() {
        return this.acme.boards(this.team, 0);
      },
    },
    two: {
      type: "integer",
      async options() {
        return [String(this.one).length];
      },
    },
  },
  run() {
    same<typeof this.one, string>();
    same<typeof this.two, number>();
  },
});

// # option methods as arrow functions, function expressions and references
async function colours({ page }: OptionsArguments): Promise<string[]> {
  return [String(page)];
}
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string", options: colours },
    b: { type: "string", options: async ({ page }) => [String(page)] },
    c: {
      type: "string",
      options: function ({ prevContext }) {
        return [String(prevContext)];
      },
    },
  },
  run() {
    same<typeof this.a, string>();
    same<typeof this.b, string>();
    same<typeof this.c, string>();
  },
});

// # an option method names only the arguments it uses
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    board: {
      type: "string",
      async options({ team }: { team: string }) {
        return [team];
      },
    },
  },
  run() {
    same<typeof this.board, string>();
  },
});

// # options with a context for the next page
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    board: {
      type: "string",
      async options({ prevContext }) {
        const { token = "" } = prevContext;
        return { options: [{ label: "one", value: token }], context: { token: "next" } };
      },
    },
  },
  run() {
    same<typeof this.board, string>();
  },
});

// # options inherited from an app get inputs from a function of the values before
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: { propDefinition: [acme, "team"] },
    board: {
      propDefinition: [
        acme,
        "board",
        (values) => {
          same<typeof values.team, string>();
          return { team: values.team };
        },
      ],
    },
  },
  run() {
    same<typeof this.team, string>();
    same<typeof this.board, string | undefined>();
  },
});

// # the same with destructured and annotated values
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: { propDefinition: [acme, "team"] },
    one: { propDefinition: [acme, "board", ({ team }) => ({ team })] },
    two: { propDefinition: [acme, "board", ({ team }: { team: string }) => ({ team })] },
    three: { propDefinition: [acme, "board", () => ({ team: "fixed" })] },
    four: { propDefinition: [acme, "board", { team: "fixed" }] },
  },
  run() {
    same<typeof this.one, string | undefined>();
    same<typeof this.two, string | undefined>();
    same<typeof this.three, string | undefined>();
    same<typeof this.four, string | undefined>();
  },
});

// # a local option method in place of the inherited one
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    board: {
      propDefinition: [acme, "board"],
      optional: false,
      async options({ page }) {
        return this.acme.boards("local", page);
      },
    },
  },
  run() {
    same<typeof this.board, string>();
  },
});

// # additional props depend on values
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { mode: { type: "string", reloadProps: true } },
  methods: {
    extra(): string {
      return this.mode;
    },
  },
  async additionalProps() {
    same<typeof this.mode, string>();
    return { [this.extra()]: { type: "string", label: "Extra" } };
  },
  run() {},
});

// # an option method calls methods with type arguments, and annotates what it goes through
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    item: {
      type: "string",
      async options({ page }) {
        const { items }: { items: { id: string }[] } = await this.request<{ id: string }>("/items", page);
        const pairs: [string, number][] = this.pairs<string, number>("a", 1);
        return [...items.map(({ id }) => id), ...pairs.map(([name]) => name)];
      },
    },
  },
  methods: {
    async request<T>(path: string, page: number): Promise<{ items: T[] }> {
      return { items: [path, page] as T[] };
    },
    pairs<A, B>(first: A, second: B): [A, B][] {
      return [[first, second]];
    },
  },
  run() {
    same<typeof this.item, string>();
  },
});
