/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineAction, defineWorkflow } from "@x/types";

const send = defineAction({
  type: "action",
  name: "send",
  props: {
    to: { type: "string" },
    copies: { type: "integer", optional: true },
    tags: { type: "string[]", optional: true },
  },
  run() {
    return this.to;
  },
});

// # a value for a prop that the action does not have
defineWorkflow({
  name: "case",
  trigger: { type: "http" },
  steps: [
    send,
    {
      type: "action",
      name: "first",
      run({ steps }) {
        return steps.trigger.event.body;
      },
    },
    {
      name: "second",
      action: send,
      props: {
        to: ({ steps }) => steps.trigger.event.path,
        // @ts-expect-error -- copy: the action has no prop copy
        copy: 2,
      },
    },
  ],
});

// # a value of another type
defineWorkflow({
  name: "case",
  steps: [
    {
      name: "only",
      action: send,
      props: {
        to: "a",
        // @ts-expect-error -- copies: this is not a value of prop copies
        copies: "2",
      },
    },
  ],
});

// # one value for a list
defineWorkflow({
  name: "case",
  steps: [
    {
      name: "only",
      action: send,
      props: {
        to: "a",
        // @ts-expect-error -- tags: this is not a value of prop tags
        tags: "a",
      },
    },
  ],
});

// # a function whose value is of another type
defineWorkflow({
  name: "case",
  trigger: { type: "timer", intervalSeconds: 60 },
  steps: [
    {
      name: "only",
      action: send,
      props: {
        // @ts-expect-error -- to: this is not a value of prop to
        to: ({ steps }) => steps.trigger.event.timestamp,
      },
    },
  ],
});

// # an unknown prop type in a step
defineWorkflow({
  name: "case",
  steps: [
    {
      name: "only",
      props: {
        text: {
          // @ts-expect-error -- type: no prop type is called strin
          type: "strin",
        },
      },
      run() {},
    },
  ],
});

// # a field of the event that its trigger does not have
defineWorkflow({
  name: "case",
  trigger: { type: "http" },
  steps: [
    {
      name: "only",
      run({ steps }) {
        // @ts-expect-error -- timestamp: Property 'timestamp' does not exist on type 'HttpEvent'
        return steps.trigger.event.timestamp;
      },
    },
  ],
});

// # a method with the name of a prop, in an action
defineAction({
  type: "action",
  name: "case",
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

// # a request of a step without its URL
defineAction({
  type: "action",
  name: "case",
  run({ $ }) {
    // @ts-expect-error -- { method: Property 'url' is missing
    $.send.http({ method: "PUT", data: 1 });
  },
});

// # a misspelt member of a request of a step
defineAction({
  type: "action",
  name: "case",
  run({ $ }) {
    // @ts-expect-error -- body: 'body' does not exist in type 'SentRequest'
    $.send.http({ url: "https://acme.test/a", body: 1 });
  },
});

// # an event on a channel without its name
defineAction({
  type: "action",
  name: "case",
  run({ $ }) {
    // @ts-expect-error -- { payload: Property 'channel' is missing
    void $.send.sse({ payload: 1 });
  },
});

// # a way to send that this runtime does not have
defineAction({
  type: "action",
  name: "case",
  run({ $ }) {
    // @ts-expect-error -- email: Property 'email' does not exist
    $.send.email({ subject: "a" });
  },
});
