/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineComponent } from "@x/types";
import type { Emits } from "@x/types";

interface Order {
  id: string;
  total: number;
}
declare const order: Order;
declare const untyped: any;
declare const maybeId: string | undefined;

// # unique without an id, in run
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    // @ts-expect-error -- {: Property 'id' is missing
    this.$emit(order, { summary: "a" });
  },
});

// # unique without metadata
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    // @ts-expect-error -- this: with dedupe, $emit(event, metadata) needs metadata with an id
    this.$emit(order);
  },
});

// # unique without metadata, for an untyped event
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    // @ts-expect-error -- this: with dedupe, $emit(event, metadata) needs metadata with an id
    this.$emit(untyped);
  },
});

// # last without an id
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "last",
  run() {
    // @ts-expect-error -- {: Property 'id' is missing
    this.$emit(order, { ts: 1 });
  },
});

// # unique without an id, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  methods: {
    send() {
      // @ts-expect-error -- {: Property 'id' is missing
      this.$emit(order, { summary: "a" });
    },
  },
  run() {
    this.send();
  },
});

// # unique without an id, in a hook
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  hooks: {
    async deploy() {
      // @ts-expect-error -- {: Property 'id' is missing
      this.$emit(order, { summary: "a" });
    },
  },
  run() {},
});

// # unique without an id, in a nested function
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    [order].forEach((each) => {
      // @ts-expect-error -- {: Property 'id' is missing
      this.$emit(each, { summary: "a" });
    });
  },
});

// # unique with an id that may be missing
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    // @ts-expect-error -- id: Type 'undefined' is not assignable to type 'string | number | bigint'
    this.$emit(order, { id: maybeId });
  },
});

// # metadata of a method without an id
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  methods: {
    metadata(text: string) {
      return { summary: text };
    },
  },
  run() {
    // @ts-expect-error -- this.metadata("a"): Property 'id' is missing
    this.$emit(order, this.metadata("a"));
  },
});

// # greatest without an id
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  run() {
    // @ts-expect-error -- {: Property 'id' is missing
    this.$emit(order, { summary: "a" });
  },
});

// # greatest without metadata
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  run() {
    // @ts-expect-error -- this: needs metadata with a numeric id
    this.$emit(order);
  },
});

// # greatest with an id that is no number, in run
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  run() {
    // @ts-expect-error -- id: Type 'string' is not assignable to type
    this.$emit(order, { id: order.id });
  },
});

// # greatest with an id that is no number, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  methods: {
    send() {
      // @ts-expect-error -- id: Type '"abc"' is not assignable to type
      this.$emit(order, { id: "abc" });
    },
  },
  run() {},
});

// # greatest with an id that is no number, in a hook
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  hooks: {
    deploy() {
      // @ts-expect-error -- id: Type 'string' is not assignable to type
      this.$emit(order, { id: order.id });
    },
  },
  run() {},
});

// # an unknown strategy
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- dedupe: dedupe is unique, greatest or last
  dedupe: "newest",
  methods: {
    send(): void {},
  },
  run() {
    this.send();
  },
});

// # an id that is an object
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- id: not assignable to type
    this.$emit(order, { id: {} });
  },
});

// # a time that is no time
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- ts: not assignable to type 'string | number | Date | null | undefined'
    this.$emit(order, { ts: true });
  },
});

// # a misspelt field of metadata
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- sumary: 'sumary' does not exist in type 'EmitMetadata'
    this.$emit(order, { sumary: "a" });
  },
});

// # a function as an event
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- (: an event must be data that JSON can hold
    this.$emit(() => order);
  },
});

// # a bigint as an event
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- 1n: an event must be data that JSON can hold
    this.$emit(1n);
  },
});

// # a promise as an event
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    async load(): Promise<Order> {
      return order;
    },
  },
  run() {
    // @ts-expect-error -- this.load(): a promise is no event: await it first
    this.$emit(this.load());
  },
});

// # a promise as an event, with dedupe
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  methods: {
    async load(): Promise<Order> {
      return order;
    },
  },
  run() {
    // @ts-expect-error -- this.load(): a promise is no event: await it first
    this.$emit(this.load(), { id: 1 });
  },
});

// # a third argument
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- 1: Expected 0-2 arguments, but got 3
    this.$emit(order, {}, 1);
  },
});

// # an event that is not the declared one
defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {} as Order,
  run() {
    // @ts-expect-error -- total: Type 'string' is not assignable to type 'number'
    this.$emit({ id: "a", total: "1" });
  },
});

// # an event without a declared field, with dedupe
defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {} as Order,
  dedupe: "unique",
  run() {
    // @ts-expect-error -- {: Property 'total' is missing
    this.$emit({ id: "a" }, { id: "a" });
  },
});

// # an event that the JSON Schema does not describe
defineComponent({
  name: "case",
  version: "0.0.1",
  emits: { type: "object", properties: { id: { type: "string" }, total: { type: "number" } }, required: ["id"] },
  run() {
    // @ts-expect-error -- total: Type 'string' is not assignable to type 'number'
    this.$emit({ id: "a", total: "1" });
  },
});

// # events received as another type
const orders = defineComponent({ name: "case", version: "0.0.1", emits: {} as Order, run() {} });
declare const received: Emits<typeof orders>;
// @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
received.total.trim();

// # an event of none of the declared shapes, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {} as { kind: "new"; total: number } | { kind: "gone"; at: Date },
  methods: {
    tell(): void {
      // @ts-expect-error -- total: 'total' does not exist in type
      void this.$emit({ kind: "gone", total: 1 });
    },
  },
  run() {
    this.tell();
  },
});

// # an event with a promise in it
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  methods: {
    async load(): Promise<Order> {
      return order;
    },
  },
  run() {
    // @ts-expect-error -- detail: a promise is no data: await it first
    this.$emit({ ...order, detail: this.load() }, { id: order.id });
  },
});

// # a list of promises as an event
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    async load(id: string): Promise<Order> {
      return { ...order, id };
    },
  },
  run() {
    // @ts-expect-error -- ["a", "b"].map((id) => this.load(id)): a promise is no data: await it first
    this.$emit(["a", "b"].map((id) => this.load(id)));
  },
});

// # an event with a bigint in it
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- total: JSON cannot hold a bigint
    this.$emit({ id: "a", total: 1n });
  },
});

// # emit with dedupe as the function of a list
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    // @ts-expect-error -- this.$emit: is not assignable to parameter of type '(value: Order
    [order].forEach(this.$emit);
  },
});
