import { defineAction, defineApp, defineWorkflow } from "./index.ts";
import type { Database, HttpEvent, Steps, TimerEvent } from "./index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Fails to compile unless both types are the same. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : [expected: B, got: A]): void {}

const acme = defineApp({ type: "app", app: "acme", methods: { token: (): string => "t" } });

// 1 an action knows its props, methods and app
const send = defineAction({
  type: "action",
  name: "send",
  props: {
    acme,
    to: { type: "string" },
    copies: { type: "integer", optional: true },
    db: "$.service.db",
  },
  methods: {
    subject(): string {
      return this.to;
    },
  },
  run({ steps, $ }) {
    same<typeof this.to, string>();
    same<typeof this.copies, number | undefined>();
    same<typeof this.db, Database>();
    same<ReturnType<typeof this.subject>, string>();
    same<ReturnType<typeof this.acme.token>, string>();
    same<typeof steps, Steps>();
    same<typeof steps.trigger.event, unknown>();
    $.export("sent", true);
    void $.send.emit({ sent: true }, { id: 1, summary: "s", ts: 1, name: "n" });
    void $.respond({ status: 200, headers: { a: "b" }, body: {} });
    return $.context.workflow_id;
  },
});

// 2 the trigger's event reaches the steps that are written in place
defineWorkflow({
  name: "http",
  trigger: { type: "http", customResponse: true },
  steps: [
    {
      type: "action",
      name: "first",
      run({ steps }) {
        same<typeof steps.trigger.event, HttpEvent>();
      },
    },
    {
      name: "second",
      action: send,
      props: {
        to: ({ steps }) => steps.trigger.event.path,
        copies: 2,
        acme: { authProvisionId: "apn_1" },
      },
    },
  ],
});

defineWorkflow({
  name: "timer",
  trigger: { type: "timer", cron: "0 9 * * 1-5", timezone: "Europe/Vienna" },
  steps: [
    {
      name: "only",
      run({ steps, $ }) {
        same<typeof steps.trigger.event, TimerEvent>();
        if (steps.trigger.event.interval_seconds === 0) return $.flow.exit("first");
        same<(typeof steps)[string]["x"], unknown>();
      },
    },
  ],
});

// 3 an action is a step by itself; without a trigger its event is unknown
defineWorkflow({
  id: "p_given",
  name: "event",
  trigger: { type: "event", emitterId: "dc_*", eventName: "$errors" },
  steps: [send],
});
defineWorkflow({
  name: "none",
  steps: [
    {
      name: "only",
      run({ steps }) {
        same<typeof steps.trigger.event, unknown>();
      },
    },
  ],
});

// 4 mistakes are reported
// @ts-expect-error a workflow needs steps
defineWorkflow({ name: "no steps" });
// @ts-expect-error a timer needs a schedule
defineWorkflow({ name: "no schedule", trigger: { type: "timer" }, steps: [send] });
// @ts-expect-error there is no such trigger
defineWorkflow({ name: "no such trigger", trigger: { type: "mail" }, steps: [send] });
// @ts-expect-error a step needs run, or an action
defineWorkflow({ name: "no run", steps: [{ name: "only" }] });
// @ts-expect-error an action needs a name
defineAction({ type: "action", run() {} });
// @ts-expect-error a source's component is no action
defineAction({ type: "source", name: "source", run() {} });
defineAction({
  type: "action",
  name: "interfaces",
  props: {
    // @ts-expect-error a step has no interface
    http: "$.interface.http",
    // @ts-expect-error a step has no interface
    timer: { type: "$.interface.timer" },
    // @ts-expect-error only an http prop can have customResponse
    text: { type: "string", customResponse: true },
  },
  run() {},
});
defineAction({
  type: "action",
  name: "unknown members",
  props: { text: { type: "string" } },
  run({ $ }) {
    // @ts-expect-error there is no such prop
    void this.other;
    // @ts-expect-error a status is a number
    void $.respond({ status: "ok" });
    // @ts-expect-error the key is a text
    $.export(1, 2);
  },
});
