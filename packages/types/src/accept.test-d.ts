import { defineApp, defineComponent } from "./index.ts";
import type { Database, HttpEvent, HttpInterface, TimerEvent, TimerInterface } from "./index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Fails to compile unless both types are the same. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : [expected: B, got: A]): void {}

const head = { name: "case", version: "0.0.1" } as const;

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: { type: "string", label: "Team" },
    labels: { type: "string[]", optional: true },
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
  },
});

// 1 nothing but what is required
defineComponent({ ...head, run() {} });

// 2 every input type
defineComponent({
  ...head,
  props: {
    text: { type: "string" },
    texts: { type: "string[]" },
    count: { type: "integer", min: 1, max: 9 },
    counts: { type: "integer[]" },
    flag: { type: "boolean" },
    flags: { type: "boolean[]" },
    bag: { type: "object" },
  },
  run() {
    same<typeof this.text, string>();
    same<typeof this.texts, string[]>();
    same<typeof this.count, number>();
    same<typeof this.counts, number[]>();
    same<typeof this.flag, boolean>();
    same<typeof this.flags, boolean[]>();
    same<typeof this.bag, { [key: string]: unknown }>();
  },
});

// 3 short forms
defineComponent({
  ...head,
  props: { db: "$.service.db", timer: "$.interface.timer", http: "$.interface.http" },
  run(event) {
    same<typeof this.db, Database>();
    same<typeof this.timer, TimerInterface>();
    same<typeof this.http, HttpInterface>();
    same<typeof event, HttpEvent | TimerEvent>();
  },
});

// 4 optional, and optional with a default
defineComponent({
  ...head,
  props: { maybe: { type: "string", optional: true }, filled: { type: "integer", optional: true, default: 3 } },
  run() {
    same<typeof this.maybe, string | undefined>();
    same<typeof this.filled, number>();
  },
});

// 5 the event of an HTTP interface, and its answer
defineComponent({
  ...head,
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run(event) {
    same<typeof event, HttpEvent>();
    await this.http.respond({ status: 200, headers: { "x-a": ["1", "2"] }, body: { url: this.http.endpoint } });
  },
});

// 6 the event of a timer
defineComponent({
  ...head,
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
  run(event) {
    same<typeof event, TimerEvent>();
    return event.timestamp + event.interval_seconds;
  },
});

// 7 a cron default
defineComponent({ ...head, props: { timer: { type: "$.interface.timer", default: { cron: "0 9 * * *" } } }, run() {} });

// 8 methods call each other and read props, also from run
defineComponent({
  ...head,
  props: { base: { type: "string" } },
  methods: {
    url(path: string): string {
      return this.base + path;
    },
    both(): string[] {
      return [this.url("/a"), this.url("/b")];
    },
  },
  run() {
    same<ReturnType<typeof this.both>, string[]>();
  },
});

// 9 hooks before methods
defineComponent({
  ...head,
  props: { db: { type: "$.service.db" } },
  hooks: {
    async deploy() {
      this.remember(1);
    },
    async activate() {},
    async deactivate() {
      this.db.delete("seen");
    },
  },
  methods: {
    remember(value: number): void {
      this.db.set("seen", value);
    },
  },
  run() {
    same<number | undefined, ReturnType<typeof this.db.get<number>>>();
  },
});

// 10 emits: nothing, an event, an event with everything
defineComponent({
  ...head,
  async run() {
    void this.$emit();
    void this.$emit({ a: 1 });
    await this.$emit([1], { id: 1, summary: "one", ts: Date.now(), name: "channel" });
  },
});

// 11 dedupe, with ids
defineComponent({
  ...head,
  dedupe: "unique",
  run() {
    void this.$emit({ a: 1 }, { id: "a" });
  },
});

// 12 an app: its methods and $auth
defineComponent({
  ...head,
  props: { acme },
  async run() {
    same<ReturnType<typeof this.acme.token>, string>();
    const first: string | undefined = this.acme.$auth["api_key"];
    return [first, await this.acme.projects(0)];
  },
});

// 13 prop definitions of an app, with overrides
defineComponent({
  ...head,
  props: {
    acme,
    team: { propDefinition: [acme, "team"], description: "Whose events" },
    labels: { propDefinition: [acme, "labels"] },
    mine: { propDefinition: [acme, "team"], optional: true },
  },
  run() {
    same<typeof this.team, string>();
    same<typeof this.labels, string[] | undefined>();
    same<typeof this.mine, string | undefined>();
  },
});

// 14 option methods that use this and their arguments do not hide the type
defineComponent({
  ...head,
  props: {
    base: { type: "string" },
    project: {
      type: "integer",
      optional: true,
      async options({ page }) {
        return [page, this.base.length];
      },
    },
  },
  run() {
    same<typeof this.project, number | undefined>();
    same<typeof this.base, string>();
  },
});

// 15 a list of choices, with and without labels
defineComponent({
  ...head,
  props: {
    colour: { type: "string", options: ["red", "blue"] },
    size: { type: "integer", options: [{ label: "small", value: 1 }] },
  },
  run() {
    same<typeof this.colour, string>();
    same<typeof this.size, number>();
  },
});

// 16 a propDefinition whose inputs are a function of the props before it
defineComponent({
  ...head,
  props: {
    acme,
    team: { propDefinition: [acme, "team"] },
    project: { propDefinition: [acme, "project", ({ team }: { team: string }) => ({ team })] },
  },
  run() {
    same<typeof this.project, number>();
  },
});

// 17 an option method may call a method that stands after it
defineComponent({
  ...head,
  props: {
    project: {
      type: "string",
      options: async function () {
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

// 18 a component is still its object
const counted = defineComponent({ ...head, props: { db: "$.service.db" }, run() {} });
same<typeof counted.name, string>();
same<typeof counted.props.db, "$.service.db">();
