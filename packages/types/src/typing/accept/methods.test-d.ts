/* oxlint-disable -- programs as authors write them */
import { defineAction, defineComponent } from "@x/types";

import { same } from "../same.cases.ts";

// # methods call each other and read props, also from run
defineComponent({
  name: "case",
  version: "0.0.1",
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

// # results of methods are inferred, also of those that stand after
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { base: { type: "string" } },
  methods: {
    outer() {
      return { list: [this.inner(1)] };
    },
    inner(count: number) {
      return `${this.base}${count}`;
    },
  },
  run() {
    same<ReturnType<typeof this.outer>, { list: string[] }>();
  },
});

// # hooks before methods
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" },
  hooks: {
    async deploy() {
      same<ReturnType<typeof this.remember>, number>();
      this.remember(1);
    },
    async deactivate() {
      this.db.delete("seen");
    },
  },
  methods: {
    remember(value: number) {
      this.db.set("seen", value);
      return value;
    },
  },
  run() {
    same<ReturnType<typeof this.remember>, number>();
  },
});

// # run before methods
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { limit: { type: "integer" } },
  run() {
    this.work(this.limit);
  },
  methods: {
    work(limit: number): number {
      return limit;
    },
  },
});

// # a run that returns a method's result before methods
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { limit: { type: "integer" } },
  async run() {
    return await this.work(this.limit);
  },
  methods: {
    async work(limit: number): Promise<number> {
      return limit + this.limit;
    },
  },
});

// # methods and run before props
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    text(): string {
      return this.word.trim();
    },
  },
  run() {
    this.text();
  },
  props: { word: { type: "string" } },
});

// # async generators
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { limit: { type: "integer" } },
  methods: {
    async *pages(): AsyncGenerator<number> {
      for (let page = 0; page < this.limit; page++) yield page;
    },
    *words() {
      yield "a";
    },
  },
  async run() {
    for await (const page of this.pages()) same<typeof page, number>();
    for (const word of this.words()) same<typeof word, string>();
  },
});

// # this in nested arrow functions
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { words: { type: "string[]" }, prefix: { type: "string", optional: true } },
  methods: {
    lengths(): number[] {
      return this.words.map((word) => [this.prefix ?? "", word].map((text) => text.length + this.words.length)).flat();
    },
  },
  async run() {
    await Promise.all(this.words.map(async (word) => this.lengths().includes(word.length)));
  },
});

// # a method that calls itself
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    depth(level: number): number {
      return level === 0 ? 0 : this.depth(level - 1);
    },
  },
  run() {
    same<ReturnType<typeof this.depth>, number>();
  },
});

// # methods with defaults, rest and destructured parameters
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    join({ separator = "," }: { separator?: string } = {}, ...words: string[]) {
      return words.join(separator);
    },
  },
  run() {
    same<ReturnType<typeof this.join>, string>();
    this.join();
    this.join({ separator: "-" }, "a", "b");
  },
});

// # generic methods
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    first<T>(list: readonly T[]): T | undefined {
      return list[0];
    },
  },
  run() {
    const first = this.first([1, 2]);
    same<typeof first, number | undefined>();
  },
});

// # methods written as arrow functions and from other modules
const double = (value: number): number => value * 2;
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: { double, half: (value: number) => value / 2 },
  run() {
    same<ReturnType<typeof this.double>, number>();
    same<ReturnType<typeof this.half>, number>();
  },
});

// # a method with the name of a hook
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    deploy(): string {
      return "mine";
    },
  },
  hooks: {
    async deploy() {
      same<ReturnType<typeof this.deploy>, string>();
    },
  },
  run() {},
});

// # values among the methods
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    baseUrl: "https://example.test",
    url(path: string): string {
      return this.baseUrl + path;
    },
  },
  run() {
    same<typeof this.baseUrl, string>();
  },
});

// # run may be synchronous, and may return anything
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run(event) {
    return { at: event.timestamp };
  },
});

// # run as a property
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer", word: { type: "string" } },
  run: async function (event) {
    same<typeof event.timestamp, number>();
    same<typeof this.word, string>();
  },
});

// # methods destructured from this
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { word: { type: "string" } },
  methods: {
    shout(text: string): string {
      return text.toUpperCase();
    },
  },
  run() {
    const { shout, word, $emit } = this;
    same<typeof word, string>();
    $emit(shout(word));
  },
});

// # additional props as an object, nothing, or what nobody typed
declare const untyped: any;
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { mode: { type: "string", reloadProps: true } },
  async additionalProps() {
    if (this.mode === "") return;
    const props: { [name: string]: object } = {};
    for (const name of this.names(this.mode)) props[name] = { type: "string" };
    return props;
  },
  methods: {
    names(mode: string) {
      return [mode, this.mode];
    },
  },
  run() {
    same<ReturnType<typeof this.names>, string[]>();
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { mode: { type: "string" } },
  additionalProps(previous: Record<string, object>) {
    return { ...previous, mode: null, more: untyped };
  },
  run() {
    same<typeof this.mode, string>();
  },
});
defineComponent({ name: "case", version: "0.0.1", additionalProps: untyped, run() {} });

// # what additional props are called is not known
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  props: { kind: { type: "string", options: ["text", "number"], reloadProps: true } },
  methods: {
    named(kind: string) {
      return `${kind}-${this["answer"]}`;
    },
    chosen() {
      return this.kind;
    },
  },
  async additionalProps() {
    return { [this.named(this.kind)]: { type: this.kind === "number" ? "integer" : "string" } };
  },
  run() {
    same<ReturnType<typeof this.chosen>, "text" | "number">();
    this.$emit({ answer: this["answer"], kind: this.kind }, { id: this["answer"] });
  },
});

// # annotations are the author's own
defineComponent({ name: "case", version: "0.0.1", annotations: { readOnlyHint: true }, run() {} });
defineAction({ type: "action", name: "case", annotations: { readOnlyHint: true }, run() {} });
