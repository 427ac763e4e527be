/* oxlint-disable -- programs as authors write them */
import { defineAction, defineApp, defineWorkflow } from "@x/types";
import type { HttpEvent, TimerEvent } from "@x/types";

import { same } from "../same.cases.ts";

const acme = defineApp({
  type: "app",
  app: "acme",
  propDefinitions: { team: { type: "string" }, state: { type: "string", options: ["open", "closed"] } },
});
const send = defineAction({
  type: "action",
  name: "send",
  props: {
    acme,
    db: "$.service.db",
    to: { type: "string" },
    copies: { type: "integer", optional: true },
    tags: { type: "string[]", optional: true },
    state: { propDefinition: [acme, "state"] },
    board: { type: "string", withLabel: true, optional: true },
    extra: { type: "object", optional: true },
    thing: { type: "any", optional: true },
  },
  run() {
    return this.to;
  },
});
declare const untyped: any;
declare const state: string;

// # values for the props of an action, and functions of the steps before
defineWorkflow({
  name: "case",
  trigger: { type: "http" },
  steps: [
    send,
    {
      name: "plain",
      action: send,
      props: { to: "a", copies: 2, tags: ["a", "b"], state: "open", extra: { a: 1 }, thing: [1] },
    },
    {
      name: "computed",
      action: send,
      props: {
        to: ({ steps }) => {
          same<typeof steps.trigger.event, HttpEvent>();
          return steps.trigger.event.path;
        },
        copies: ({ steps }) => steps["plain"]?.["$return_value"],
        tags: untyped,
        state,
        acme: { authProvisionId: "apn_1" },
      },
    },
    { name: "later", action: send, props: { to: async () => "a", copies: null, board: "a" } },
    { name: "labelled", action: send, props: { to: "a", board: { label: "A", value: "a" } } },
    { name: "nothing", action: send },
  ],
});

// # steps written where they stand
defineWorkflow({
  name: "case",
  trigger: { type: "timer", intervalSeconds: 60 },
  steps: [
    {
      type: "action",
      name: "first",
      props: { db: "$.service.db", team: { propDefinition: [acme, "team"] }, limit: { type: "integer", default: 3 } },
      methods: {
        double(value: number): number {
          return value * 2;
        },
      },
      run({ steps, $ }) {
        same<typeof steps.trigger.event, TimerEvent>();
        $.export("limit", this.double(this.limit));
        return this.team;
      },
    },
    { name: "second", run: async ({ steps }) => steps["first"]?.["limit"] },
  ],
});

// # steps from elsewhere, actions without types
const others = [{ name: "other", run() {} }];
const plain = { type: "action", name: "plain", props: { text: { type: "string" } }, run() {} };
defineWorkflow({ name: "case", steps: others });
defineWorkflow({ name: "case", steps: [...others, { name: "last", action: send, props: { to: "a" } }] });
defineWorkflow({
  name: "case",
  steps: [
    { name: "untyped", action: untyped, props: { anything: 1 } },
    { name: "plain", action: plain, props: { text: "a" } },
  ],
});

// # what a step sends beside events
defineAction({
  type: "action",
  name: "case",
  props: { url: { type: "string" } },
  async run({ $ }) {
    same<ReturnType<typeof $.send.http>, void>();
    $.send.http({ url: this.url });
    $.send.http({
      method: "PUT",
      url: this.url,
      params: { q: 1, all: true },
      headers: { accept: "text/plain" },
      data: { a: [1] },
      auth: { username: "a", password: "b" },
    });
    await $.send.sse({ channel: "live", payload: { a: 1 } });
    await $.send.sse({ channel: "live" });
  },
});
defineWorkflow({
  name: "case",
  steps: [{ name: "only", run: ({ $ }) => $.send.http({ url: "https://acme.test/a", data: "text" }) }],
});
