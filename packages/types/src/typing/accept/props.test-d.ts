/* oxlint-disable -- programs as authors write them */
import { defineComponent } from "@x/types";
import type { Database, HttpInterface, TimerInterface } from "@x/types";

import { same } from "../same.cases.ts";

// # nothing but what is required
defineComponent({ name: "case", version: "0.0.1", run() {} });

// # every field of a component
defineComponent({
  key: "case",
  name: "case",
  description: "every field",
  version: "0.0.1",
  type: "source",
  dedupe: "last",
  props: {},
  methods: {},
  hooks: { async deploy() {}, async activate() {}, async deactivate() {} },
  sampleEmit: { id: 1 },
  async additionalProps(previous) {
    return { ...previous };
  },
  run() {},
});

// # a string, an integer, a boolean
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" }, count: { type: "integer", min: 1, max: 9 }, flag: { type: "boolean" } },
  run() {
    same<typeof this.text, string>();
    same<typeof this.count, number>();
    same<typeof this.flag, boolean>();
  },
});

// # lists
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { texts: { type: "string[]" }, counts: { type: "integer[]" }, flags: { type: "boolean[]" } },
  run() {
    same<typeof this.texts, string[]>();
    same<typeof this.counts, number[]>();
    same<typeof this.flags, boolean[]>();
  },
});

// # an object has members of any type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { bag: { type: "object" }, thing: { type: "any" } },
  run() {
    same<typeof this.bag, { [key: string]: any }>();
    same<0 extends 1 & typeof this.thing ? "any" : "typed", "any">();
  },
});

// # short forms
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db", timer: "$.interface.timer", http: "$.interface.http" },
  run() {
    same<typeof this.db, Database>();
    same<typeof this.timer, TimerInterface>();
    same<typeof this.http, HttpInterface>();
  },
});

// # long forms of services
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    db: { type: "$.service.db" },
    timer: { type: "$.interface.timer", label: "Poll", description: "How often" },
    http: { type: "$.interface.http", label: "Hook" },
  },
  run() {
    same<typeof this.db, Database>();
    same<typeof this.timer, TimerInterface>();
    same<typeof this.http, HttpInterface>();
  },
});

// # an optional prop may be undefined
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string", optional: true }, list: { type: "integer[]", optional: true } },
  run() {
    same<typeof this.text, string | undefined>();
    same<typeof this.list, number[] | undefined>();
  },
});

// # optional: false is required
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string", optional: false } },
  run() {
    same<typeof this.text, string>();
  },
});

// # a default fills in an optional prop
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    count: { type: "integer", optional: true, default: 3 },
    list: { type: "string[]", optional: true, default: ["a"] },
    flag: { type: "boolean", optional: true, default: false },
    text: { type: "string", optional: true, default: "" },
  },
  run() {
    same<typeof this.count, number>();
    same<typeof this.list, string[]>();
    same<typeof this.flag, boolean>();
    same<typeof this.text, string>();
  },
});

// # a default without optional, as half of all components have it
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { count: { type: "integer", default: 3 } },
  run() {
    same<typeof this.count, number>();
  },
});

// # a timer's default as an interval, as cron, with a time zone, and fixed
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "$.interface.timer", default: { intervalSeconds: 15 * 60 } },
    b: { type: "$.interface.timer", default: { cron: "0 9 * * 1-5" } },
    c: { type: "$.interface.timer", default: { cron: "0 9 * * *", timezone: "Europe/Berlin" } },
    d: { type: "$.interface.timer", static: { intervalSeconds: 60 } },
  },
  run() {
    same<typeof this.a.intervalSeconds, number | undefined>();
    same<typeof this.d, TimerInterface>();
  },
});

// # a timer's default from a constant
const schedule = { intervalSeconds: 900 };
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: schedule } },
  run() {},
});

// # a list of choices is a union of literals
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    colour: { type: "string", options: ["red", "blue"] },
    size: { type: "integer", options: [1, 2], optional: true },
  },
  run() {
    same<typeof this.colour, "red" | "blue">();
    same<typeof this.size, 1 | 2 | undefined>();
  },
});

// # choices with labels are the union of their values
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    size: {
      type: "integer",
      options: [
        { label: "small", value: 1 },
        { label: "large", value: 9 },
      ],
    },
  },
  run() {
    same<typeof this.size, 1 | 9>();
  },
});

// # choices of a list are the type of its items
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { states: { type: "string[]", options: ["open", "closed"], default: ["open"] } },
  run() {
    same<typeof this.states, ("open" | "closed")[]>();
  },
});

// # choices that are not literal leave the type
const regions = ["eu", "us"].map((value) => ({ label: value.toUpperCase(), value }));
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { region: { type: "string", options: regions }, word: { type: "string", options: Object.keys({ a: 1 }) } },
  run() {
    same<typeof this.region, string>();
    same<typeof this.word, string>();
  },
});

// # choices from a constant keep their literals
const levels = ["low", "high"] as const;
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { level: { type: "string", options: levels } },
  run() {
    same<typeof this.level, "low" | "high">();
  },
});

// # withLabel gives label and value
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { board: { type: "string", withLabel: true }, boards: { type: "string[]", withLabel: true } },
  run() {
    same<typeof this.board, { label: string; value: string }>();
    same<typeof this.boards, { label: string; value: string }[]>();
  },
});

// # secret, hidden, disabled, reloadProps and useQuery
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    token: { type: "string", secret: true },
    mode: { type: "string", reloadProps: true, useQuery: true, hidden: false, disabled: false },
  },
  run() {
    same<typeof this.token, string>();
    same<typeof this.mode, string>();
  },
});

// # a request can be sent
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { call: { type: "http_request", default: { method: "GET", url: "https://api.example" } } },
  async run() {
    same<typeof this.call.url, string>();
    const { status } = await this.call.execute();
    same<typeof status, number>();
  },
});

// # an alert is no value
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { note: { type: "alert", alertType: "info", content: "Read this" } },
  run() {
    same<typeof this.note, undefined>();
  },
});

// # props from a plain object lose their literals and are loose
const shared = { db: "$.service.db", text: { type: "string", label: "Text" } };
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { ...shared, count: { type: "integer" } },
  run() {
    this.db.set("text", this.text);
    same<typeof this.count, number>();
  },
});

// # props from a plain object `as const` keep their types
const fixed = { db: "$.service.db", text: { type: "string", optional: true } } as const;
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { ...fixed },
  run() {
    same<typeof this.db, Database>();
    same<typeof this.text, string | undefined>();
  },
});

// # a prop whose definition is any is any
const anything: any = {};
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { loose: anything, text: { type: "string" } },
  run() {
    same<0 extends 1 & typeof this.loose ? "any" : "typed", "any">();
    same<typeof this.text, string>();
  },
});

// # a type that is not literal is loose
const chosenType: string = "string";
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { loose: { type: chosenType } },
  run() {
    same<0 extends 1 & typeof this.loose ? "any" : "typed", "any">();
  },
});

// # many props at once
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string" },
    b: { type: "string", optional: true },
    c: { type: "integer", min: 0 },
    d: { type: "boolean", default: true },
    e: { type: "string[]", optional: true, default: [] },
    f: { type: "object", optional: true },
    g: { type: "string", options: ["x", "y"], default: "x" },
    h: "$.service.db",
    i: { type: "$.interface.timer", default: { cron: "* * * * *" } },
    j: { type: "$.interface.http", customResponse: true },
  },
  run() {
    same<typeof this.a, string>();
    same<typeof this.b, string | undefined>();
    same<typeof this.g, "x" | "y">();
    same<typeof this.f, { [key: string]: any } | undefined>();
  },
});

// # a component is still its object
const counted = defineComponent({ name: "case", version: "0.0.1", props: { db: "$.service.db" }, run() {} });
same<typeof counted.name, string>();
same<typeof counted.props.db, "$.service.db">();

// # choices from app data, of mixed labels, and null as a default
declare const choices: any;
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    one: { type: "string", options: choices },
    two: { type: "string[]", options: ["a", { label: "B", value: "b" }] },
    three: { type: "integer", options: [1, { value: 2 }], optional: true, default: null },
  },
  run() {
    same<typeof this.two, ("a" | "b")[]>();
    same<typeof this.three, 1 | 2 | undefined>();
  },
});
