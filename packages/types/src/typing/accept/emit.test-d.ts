/* oxlint-disable -- programs as authors write them */
import { defineComponent } from "@x/types";
import type { Emits } from "@x/types";

import { same } from "../same.cases.ts";

interface Order {
  id: string;
  total: number;
  placed: Date;
}

// # nothing, an event, an event with everything
defineComponent({
  name: "case",
  version: "0.0.1",
  async run() {
    this.$emit();
    this.$emit({ a: 1 });
    this.$emit("text");
    this.$emit([1], {});
    await this.$emit(null, { id: 1, summary: "one", ts: Date.now(), name: "channel" });
  },
});

// # a time as a number, a Date, ISO text or nothing
declare const maybe: number | undefined;
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    this.$emit({}, { ts: 1 });
    this.$emit({}, { ts: new Date() });
    this.$emit({}, { ts: "2030-01-01T00:00:00Z" });
    this.$emit({}, { ts: maybe, id: maybe });
  },
});

// # an event typed by an interface, a class instance, a Date
class Reading {
  value = 1;
}
declare const order: Order;
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    this.$emit(order, { id: order.id });
    this.$emit(new Reading());
    this.$emit(new Date());
    this.$emit(JSON.parse("1"));
  },
});

// # ids under unique: text and numbers
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    this.$emit({ a: 1 }, { id: "a" });
    this.$emit({ a: 1 }, { id: 1, summary: "one" });
  },
});

// # ids under last
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "last",
  run() {
    this.$emit({ a: 1 }, { id: "a", ts: 1 });
  },
});

// # ids under greatest: numbers, exact numbers, numeric text
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  run() {
    this.$emit({}, { id: 1 });
    this.$emit({}, { id: 9007199254740993n });
    this.$emit({}, { id: "9007199254740993" });
    this.$emit({}, { id: Date.parse("2030-01-01") });
  },
});

// # metadata from a method
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  methods: {
    metadata(id: string) {
      return { id, summary: `New ${id}`, ts: Date.now() };
    },
    process(id: string) {
      this.$emit({ id }, this.metadata(id));
    },
  },
  hooks: {
    async deploy() {
      for (const id of ["a", "b"]) this.process(id);
    },
  },
  run() {
    ["a"].forEach(this.process);
    ["b"].forEach((id) => this.process(id));
  },
});

// # emit in hooks and nested functions
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  props: { ids: { type: "integer[]" } },
  hooks: {
    async deploy() {
      this.ids.forEach((id) => {
        this.$emit({ id }, { id });
      });
    },
    activate() {
      const each = (id: number) => this.$emit({ id }, { id });
      return Promise.all(this.ids.map(each));
    },
  },
  run() {},
});

// # untyped metadata
declare const untyped: any;
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "greatest",
  run() {
    this.$emit(untyped, untyped);
    this.$emit(untyped.item, { id: untyped.id, summary: untyped.title });
  },
});

// # a strategy that is not literal asks for nothing
const strategy: string = "unique";
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: strategy,
  run() {
    this.$emit({ a: 1 });
  },
});

// # declared events are checked, and flow to those who receive them
const orders = defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {} as Order,
  dedupe: "unique",
  run() {
    this.$emit({ id: "a", total: 1, placed: new Date() }, { id: "a" });
    this.$emit(order, { id: order.id });
  },
});
same<Emits<typeof orders>, { id: string; total: number; placed: string }>();

// # declared events without dedupe
const totals = defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {} as { total: number } | { error: string },
  run() {
    this.$emit({ total: 1 });
    this.$emit({ error: "none" }, { summary: "none" });
  },
});
same<Emits<typeof totals>, { total: number } | { error: string }>();

// # a sample says what the events are like
const sampled = defineComponent({
  name: "case",
  version: "0.0.1",
  sampleEmit: { id: 1, tags: ["a"] },
  run() {
    this.$emit({ anything: true });
  },
});
same<Emits<typeof sampled>, { id: number; tags: string[] }>();

// # a JSON Schema says what the events are like
const described = defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      id: { type: "string" },
      total: { type: ["number", "null"], minimum: 0 },
      kind: { enum: ["new", "gone"] },
      lines: { type: "array", items: { $ref: "#/$defs/line" } },
      note: { type: "string" },
      other: { anyOf: [{ type: "boolean" }, { const: "none" }] },
      more: { type: "object" },
    },
    required: ["id", "total", "kind", "lines"],
    $defs: { line: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] } },
  },
  dedupe: "unique",
  run() {
    this.$emit({ id: "a", total: null, kind: "new", lines: [{ sku: "b" }] }, { id: "a" });
    this.$emit(
      { id: "a", total: 1, kind: "gone", lines: [], note: undefined, other: "none", more: { a: 1 } },
      { id: 1 },
    );
  },
});
declare const seen: Emits<typeof described>;
same<typeof seen.total, number | null>();
same<typeof seen.kind, "new" | "gone">();
same<typeof seen.note, string | undefined>();
same<(typeof seen.lines)[number]["sku"], string>();
same<typeof seen.other, boolean | "none" | undefined>();

// # a JSON Schema from elsewhere, and one that is not understood, ask for nothing
declare const imported: { type: string; properties: { id: { type: string } }; required: string[] };
const loose = defineComponent({
  name: "case",
  version: "0.0.1",
  emits: imported,
  run() {
    this.$emit({ id: 1 });
  },
});
same<Emits<typeof loose>, unknown>();
defineComponent({
  name: "case",
  version: "0.0.1",
  emits: { allOf: [{ type: "object" }] },
  run() {
    this.$emit({ id: 1 });
  },
});

// # an event with a member named type is no JSON Schema
const typed = defineComponent({
  name: "case",
  version: "0.0.1",
  emits: {} as { type: "order" | "refund"; properties: { id: string } },
  run() {
    this.$emit({ type: "order", properties: { id: "a" } });
  },
});
same<Emits<typeof typed>, { type: "order" | "refund"; properties: { id: string } }>();

// # without either, events are unknown
const silent = defineComponent({ name: "case", version: "0.0.1", run() {} });
same<Emits<typeof silent>, unknown>();

// # events of several shapes, from methods, hooks and run
const shapes = defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  emits: {} as { kind: "new"; order: Order } | { kind: "gone"; id: string; at: Date },
  methods: {
    tell(each: Order): void {
      void this.$emit({ kind: "new", order: each }, { id: each.id });
    },
  },
  hooks: {
    async deploy() {
      this.tell(order);
    },
  },
  run() {
    void this.$emit({ kind: "gone", id: "a", at: new Date() }, { id: "a" });
  },
});
same<
  Emits<typeof shapes>,
  { kind: "new"; order: { id: string; total: number; placed: string } } | { kind: "gone"; id: string; at: string }
>();

// # events with what JSON can hold, or turns into text
declare const records: Record<string, unknown>;
class Amount {
  readonly cents = 1n;
  toJSON() {
    return String(this.cents);
  }
}
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    async load() {
      return order;
    },
    send<T extends { id: string }>(item: T): void {
      this.$emit({ id: item.id }, { id: item.id });
    },
  },
  async run() {
    this.$emit(records);
    this.$emit(new Amount());
    this.$emit({ ...order, detail: await this.load(), extra: untyped, none: null, gone: undefined });
    this.$emit([await this.load(), "a", 1]);
    this.$emit({ a: { b: [1] } } as const);
    this.$emit(order as object);
    this.$emit(Math.random() > 2 ? order : undefined);
  },
});

// # events that have methods, which JSON leaves out
class Invoice {
  readonly id = "a";
  total() {
    return 1;
  }
}
declare const texts: readonly string[];
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    const invoice = new Invoice();
    this.$emit(invoice, { id: invoice.id });
    this.$emit({ invoice, at: new Date(), texts }, { id: 1 });
    this.$emit(texts, { id: 2 });
    this.$emit(["a", { b: [1] }], { id: 3 });
    this.$emit({ untyped, order, nested: { list: [1, "a"] } }, { id: 4 });
  },
});
