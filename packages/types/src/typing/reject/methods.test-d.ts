/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineComponent, defineMixin } from "@x/types";

// # no name
// @ts-expect-error -- {: Property 'name' is missing
defineComponent({ version: "0.0.1", run() {} });

// # no version
// @ts-expect-error -- {: Property 'version' is missing
defineComponent({ name: "case", run() {} });

// # no run
// @ts-expect-error -- {: Property 'run' is missing
defineComponent({ name: "case", version: "0.0.1" });

// # a version that is a number
defineComponent({
  name: "case",
  // @ts-expect-error -- version: Type 'number' is not assignable to type 'string'
  version: 1,
  props: { text: { type: "string" } },
  methods: {
    shout(): string {
      return this.text;
    },
  },
  run() {
    this.shout();
  },
});

// # a misspelt field of a component
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- dedup: 'dedup' does not exist
  dedup: "unique",
  props: { text: { type: "string" } },
  methods: {
    shout(): string {
      return this.text;
    },
  },
  run() {
    this.shout();
  },
});

// # a component of another kind
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- type: the type of a component is source; an action is made with defineAction
  type: "action",
  run() {},
});

// # run that is no function
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- run: Type 'string' is not assignable to type
  run: "later",
});

// # a method that does not exist, in run
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: { one(): void {} },
  run() {
    // @ts-expect-error -- two: Property 'two' does not exist
    this.two();
  },
});

// # a method that does not exist, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    one(): void {
      // @ts-expect-error -- two: Property 'two' does not exist
      this.two();
    },
  },
  run() {},
});

// # a method that does not exist, in a hook before the methods
defineComponent({
  name: "case",
  version: "0.0.1",
  hooks: {
    async deploy() {
      // @ts-expect-error -- two: Property 'two' does not exist
      this.two();
    },
  },
  methods: { one(): void {} },
  run() {},
});

// # a method with wrong arguments
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    one(count: number): number {
      return count;
    },
  },
  run() {
    // @ts-expect-error -- "1": Argument of type 'string' is not assignable to parameter of type 'number'
    this.one("1");
  },
});

// # the inferred result of a method used as another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { count: { type: "integer" } },
  methods: {
    double() {
      return this.count * 2;
    },
  },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    this.double().trim();
  },
});

// # a method with the name of a prop
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- text: a method has the name text too: this.text is the prop
    text: { type: "string" },
  },
  methods: {
    text() {
      return "a";
    },
  },
  run() {},
});

// # a hook that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" },
  hooks: {
    // @ts-expect-error -- deployed: no hook is called deployed: there are deploy, activate and deactivate
    async deployed() {
      this.db.set("a", 1);
    },
  },
  run() {},
});

// # a hook that is no function
defineComponent({
  name: "case",
  version: "0.0.1",
  hooks: {
    // @ts-expect-error -- deploy: not assignable to type
    deploy: true,
  },
  run() {},
});

// # a mistake in a nested arrow function
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { words: { type: "string[]" } },
  run() {
    // @ts-expect-error -- toFixed: Property 'toFixed' does not exist on type 'string'
    return this.words.map((word) => [word].map((each) => each.toFixed() + this.words.length));
  },
});

// # a mistake in an async generator
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    async *pages(): AsyncGenerator<number> {
      yield 1;
    },
  },
  async run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    for await (const page of this.pages()) page.trim();
  },
});

const polling = defineMixin({
  dedupe: "unique",
  props: { db: "$.service.db", limit: { type: "integer" } },
  methods: {
    last(): number {
      return 0;
    },
  },
});

// # an id that a mixin's dedupe needs
defineComponent({
  ...polling,
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- {: Property 'id' is missing
    this.$emit({}, { summary: "a" });
  },
});

// # a mixin's prop used as another type
defineComponent({
  ...polling,
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    return this.limit.trim();
  },
});

// # a mixin's method used as another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { ...polling.props },
  methods: { ...polling.methods },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    return this.last().trim();
  },
});

// # neither the component nor the mixin has a run
// @ts-expect-error -- {: Property 'run' is missing
defineComponent({ ...polling, name: "case", version: "0.0.1" });

// # a prop of a mixin used as another type, in the mixin
defineMixin({
  props: { limit: { type: "integer" } },
  methods: {
    twice(): number {
      // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
      return this.limit.trim();
    },
  },
});

// # an unknown prop type in a mixin
defineMixin({
  props: {
    limit: {
      // @ts-expect-error -- type: no prop type is called int
      type: "int",
    },
  },
  methods: {
    twice(): number {
      return this.limit * 2;
    },
  },
});

// # a hook beside hooks
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  // @ts-expect-error -- deploy: 'deploy' does not exist
  deploy() {},
  run() {
    return this.text;
  },
});

// # a run for the event of another interface
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  // @ts-expect-error -- run: Property 'timestamp' is missing in type 'HttpEvent'
  run(event: { timestamp: number }) {
    return event.timestamp;
  },
});

// # additional props as a list
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { mode: { type: "string", reloadProps: true } },
  // @ts-expect-error -- additionalProps: additionalProps must return an object: a prop for each name
  async additionalProps() {
    return [{ name: this.mode, type: "string" }];
  },
  methods: {
    shout(): string {
      return this.mode;
    },
  },
  run() {
    this.shout();
  },
});

// # an additional prop as text
defineMixin({
  props: { mode: { type: "string", reloadProps: true } },
  // @ts-expect-error -- additionalProps: additionalProps must return an object: a prop for each name
  additionalProps: () => "string",
});

// # additional props that are no method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  // @ts-expect-error -- additionalProps: additionalProps is a method: it returns a prop for each name
  additionalProps: { more: { type: "string" } },
  run() {
    return this.text.length;
  },
});

// # a misspelt name, with everything else in order
defineComponent({
  // @ts-expect-error -- nam: 'nam' does not exist
  nam: "case",
  version: "0.0.1",
  type: "source",
  props: {
    db: "$.service.db",
    text: {
      type: "string",
      async options({ page }) {
        return this.words(page);
      },
    },
  },
  methods: {
    words(page: number): string[] {
      return [String(page), this.text];
    },
  },
  run() {
    return this.words(1).concat(this.text);
  },
});
