/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";
import type { Auth } from "@x/types";

import { same } from "../same.cases.ts";

declare module "@x/types" {
  interface AppAuth {
    known: { api_key: string; region: "eu" | "us" };
  }
}

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: { type: "string", label: "Team" },
    labels: { type: "string[]", optional: true },
    limit: { type: "integer", optional: true, default: 10 },
    state: { type: "string", options: ["open", "closed"] },
    project: {
      type: "integer",
      async options({ page }) {
        return await this.projects(page);
      },
    },
  },
  methods: {
    token(): string {
      return this.$auth["api_key"] ?? "";
    },
    async projects(page: number): Promise<number[]> {
      return [page, this.token().length];
    },
    async *pages(limit = 3): AsyncGenerator<string> {
      for (let page = 0; page < limit; page++) yield this.token();
    },
    async items<T = { id: string }>(args: { page?: number } = {}): Promise<T[]> {
      return [args.page] as T[];
    },
  },
});

// # an app inside a component: methods and $auth
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  async run() {
    same<typeof this.acme.$auth, Auth>();
    same<ReturnType<typeof this.acme.token>, string>();
    return await this.acme.projects(0);
  },
});

// # an app may have nothing but a slug
const bare = defineApp({ type: "app", app: "bare" });
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { bare },
  run() {
    same<typeof bare.app, "bare">();
    return this.bare.$auth["token"];
  },
});

// # async generators and generic methods of apps
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  async run() {
    for await (const text of this.acme.pages()) same<typeof text, string>();
    const items = await this.acme.items<{ id: number }>({ page: 1 });
    same<typeof items, { id: number }[]>();
    const [first] = await this.acme.items();
    same<NonNullable<typeof first>, { id: string }>();
  },
});

// # a method of an app as a value
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme },
  async run() {
    const load: (page: number) => Promise<number[]> = this.acme.projects;
    return (await load(0)).map(String);
  },
});

// # inherited types, optional and default
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    team: { propDefinition: [acme, "team"] },
    labels: { propDefinition: [acme, "labels"] },
    limit: { propDefinition: [acme, "limit"] },
    project: { propDefinition: [acme, "project"] },
  },
  run() {
    same<typeof this.team, string>();
    same<typeof this.labels, string[] | undefined>();
    same<typeof this.limit, number>();
    same<typeof this.project, number>();
  },
});

// # inherited literal choices
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme, state: { propDefinition: [acme, "state"] } },
  run() {
    same<typeof this.state, "open" | "closed">();
  },
});

// # fields beside a propDefinition override
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    a: { propDefinition: [acme, "team"], label: "Whose", description: "Whose events" },
    b: { propDefinition: [acme, "team"], optional: true },
    c: { propDefinition: [acme, "labels"], optional: false },
    d: { propDefinition: [acme, "team"], type: "string[]" },
    e: { propDefinition: [acme, "state"], options: ["merged"] },
    f: { propDefinition: [acme, "labels"], default: ["bug"] },
    g: { propDefinition: [acme, "team"], withLabel: true, reloadProps: true },
  },
  run() {
    same<typeof this.a, string>();
    same<typeof this.b, string | undefined>();
    same<typeof this.c, string[]>();
    same<typeof this.d, string[]>();
    same<typeof this.e, "merged">();
    same<typeof this.f, string[]>();
    same<typeof this.g, { label: string; value: string }>();
  },
});

// # a definition inherited from another app
const other = defineApp({
  type: "app",
  app: "other",
  propDefinitions: { squad: { propDefinition: [acme, "team"], optional: true } },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { other, squad: { propDefinition: [other, "squad"] } },
  run() {
    same<typeof this.squad, string | undefined>();
  },
});

// # AppAuth names the credentials of an app, in its methods and in components
const known = defineApp({
  type: "app",
  app: "known",
  propDefinitions: {
    zone: {
      type: "string",
      async options() {
        same<typeof this.$auth.region, "eu" | "us">();
        return [this.$auth.region, this.name()];
      },
    },
  },
  methods: {
    name(): string {
      same<typeof this.$auth.api_key, string>();
      return this.$auth.region;
    },
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { known },
  run() {
    same<typeof this.known.$auth.region, "eu" | "us">();
    same<typeof this.known.$auth.api_key, string>();
  },
});

// # an app that is spread, with fields of its own
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { acme: { ...acme, label: "Account", reloadProps: true } },
  run() {
    same<ReturnType<typeof this.acme.token>, string>();
  },
});

// # an app written inside the component
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    inline: {
      type: "app",
      app: "inline",
      methods: {
        key(): string {
          return this.$auth.key;
        },
      },
    },
  },
  run() {
    same<ReturnType<typeof this.inline.key>, string>();
    same<typeof this.inline.$auth, Auth>();
  },
});

// # methods of an app before its prop definitions
const late = defineApp({
  type: "app",
  app: "late",
  methods: {
    async teams(page: number): Promise<string[]> {
      return [String(page), this.$auth["key"] ?? ""];
    },
  },
  propDefinitions: {
    team: {
      type: "string",
      async options({ page }) {
        return this.teams(page);
      },
    },
  },
});
same<ReturnType<typeof late.methods.teams>, Promise<string[]>>();
same<typeof late.propDefinitions.team.type, "string">();

// # methods of an app that call each other without annotations
const chained = defineApp({
  type: "app",
  app: "chained",
  methods: {
    url() {
      return "https://example.test";
    },
    headers() {
      return { authorization: this.$auth["token"] ?? "" };
    },
    async request(path: string) {
      return { url: this.url() + path, headers: this.headers() };
    },
  },
});
same<ReturnType<typeof chained.methods.request>, Promise<{ url: string; headers: { authorization: string } }>>();

// # an app of another module that has no types
const untyped: any = {};
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { untyped, team: { propDefinition: [untyped, "team"] } },
  async run() {
    same<0 extends 1 & typeof this.untyped ? "any" : "typed", "any">();
    same<0 extends 1 & typeof this.team ? "any" : "typed", "any">();
  },
});

// # an app that is a plain object
const plain = {
  type: "app",
  app: "plain",
  propDefinitions: { team: { type: "string", label: "Team" } },
  methods: {
    base(): string {
      return "";
    },
  },
};
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { plain, team: { propDefinition: [plain, "team"] } },
  run() {
    return this.plain.base() + this.team + this.plain.$auth.key;
  },
});

// # an app spread into a component
defineComponent({
  ...acme,
  name: "case",
  version: "0.0.1",
  type: "source",
  props: { acme },
  methods: { ...acme.methods },
  run() {
    same<ReturnType<typeof this.acme.token>, string>();
  },
});

// # an account without methods
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { slim: { type: "app", app: "slim" }, known: { type: "app", app: "known" } },
  run() {
    same<typeof this.slim.$auth, Auth>();
    same<typeof this.known.$auth.region, "eu" | "us">();
  },
});

// # a slug that is not literal
declare const slug: string;
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { some: { type: "app", app: slug } },
  run() {
    return this.some.$auth["key"];
  },
});

// # an option method of an app calls a method with a type argument
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    item: {
      type: "string",
      async options({ prevContext }) {
        const found: { id: string }[] = await this.list<{ id: string }>(prevContext.cursor);
        return { options: found.map(({ id }) => id), context: { cursor: found.at(-1)?.id } };
      },
    },
  },
  methods: {
    async list<T>(cursor?: string): Promise<T[]> {
      return [cursor, this.$auth["token"]] as T[];
    },
  },
});
