/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";

import { same } from "../same.cases.ts";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    limit: { type: "integer", optional: true, default: 10 },
    labels: { type: "string[]", optional: true },
    state: { type: "string", options: ["open", "closed"], default: "open" },
  },
});
const heir = defineApp({
  type: "app",
  app: "heir",
  propDefinitions: {
    limit: { propDefinition: [acme, "limit"], optional: false },
    state: { propDefinition: [acme, "state"] },
  },
});

// # a default among the choices
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string", options: ["a", "b"], default: "b" },
    b: { type: "integer", options: [{ label: "One", value: 1 }, 2], default: 1 },
    c: { type: "string[]", options: ["a", "b"], default: ["b"] },
    d: { type: "string[]", options: ["a", "b"], default: [] },
    e: { type: "string", options: [{ label: "A", value: "a" }], default: { label: "A", value: "a" } },
    f: { type: "boolean", options: [true, false], default: true },
    g: { type: "string", options: ["a"], optional: true, default: null },
  },
  run() {
    same<typeof this.a, "a" | "b">();
    same<typeof this.b, 1 | 2>();
    same<typeof this.g, "a" | undefined>();
  },
});

// # a default that may be among the choices
const chosen = { state: "open", states: ["open", "closed"] };
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "string", options: ["open", "closed"], default: chosen.state },
    b: { type: "string", options: chosen.states, default: "merged" },
    c: { type: "string", options: [], default: "merged" },
    d: { type: "string[]", options: ["open", "closed"], default: chosen.states },
    e: { type: "string", options: async () => ["open"], default: "merged" },
  },
  run() {},
});

// # a default in place of the inherited one, or of none
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    a: { propDefinition: [acme, "limit"], default: 20 },
    b: { propDefinition: [acme, "labels"], default: ["bug"] },
    c: { propDefinition: [acme, "state"], default: "closed" },
    d: { propDefinition: [acme, "state"], options: ["merged"], default: "merged" },
    e: { propDefinition: [acme, "state"], options: ["open"] },
    f: { propDefinition: [acme, "limit"], type: "string", default: "20" },
    g: { propDefinition: [heir, "limit"], default: 20 },
    h: { propDefinition: [heir, "state"], default: "closed", label: "State" },
  },
  run() {
    same<typeof this.a, number>();
    same<typeof this.c, "open" | "closed">();
    same<typeof this.g, number>();
    same<typeof this.h, "open" | "closed">();
  },
});

// # undefined in place of what is inherited
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    acme,
    heir,
    a: { propDefinition: [acme, "limit"], default: undefined },
    b: { propDefinition: [acme, "state"], options: undefined },
    c: { propDefinition: [acme, "state"], default: undefined, optional: true },
    d: { propDefinition: [acme, "limit"], default: undefined, optional: undefined, label: undefined, min: undefined },
    e: { propDefinition: [acme, "state"], default: undefined, options: ["merged"] },
  },
  run() {
    same<typeof this.a, number | undefined>();
    same<typeof this.b, string>();
    same<typeof this.c, "open" | "closed" | undefined>();
    same<typeof this.d, number>();
    same<typeof this.e, "merged">();
  },
});

// # objects as defaults
interface Settings {
  deep: boolean;
}
declare const settings: Settings;
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "object", default: { deep: true, length: 1 } },
    b: { type: "object", default: settings },
    c: { type: "object", default: '{"deep":true}' },
    d: { type: "http_request", default: { method: "GET", url: "https://api.example", headers: [] } },
    e: { type: "$.interface.timer", default: { intervalSeconds: 60, timezone: null } },
  },
  run() {},
});

// # a fixed value is always there
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    a: { type: "integer", optional: true, static: 3 },
    b: { type: "string", static: "fixed" },
    c: { type: "string", optional: true, static: null },
  },
  run() {
    same<typeof this.a, number>();
    same<typeof this.b, string>();
    same<typeof this.c, string | undefined>();
  },
});
