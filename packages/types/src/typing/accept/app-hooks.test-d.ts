/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";
import type { AppHookInterface } from "@x/types";

import { same } from "../same.cases.ts";

// # names from a method, which has the component as this
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    slack: defineApp({
      type: "app",
      app: "slack",
      methods: {
        channel() {
          return "C1";
        },
      },
    }),
    names: { type: "string[]" },
    hook: {
      type: "$.interface.apphook",
      appProp: "slack",
      eventNames() {
        return ["message:C1"];
      },
    },
  },
  run(event) {
    same<typeof this.hook, AppHookInterface>();
    this.$emit([this.hook.eventNames.map((name) => name.length), this.slack.channel(), event.channel.id]);
  },
});

// # fixed and listed names
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    app: { type: "app", app: "zoom" },
    fixed: { type: "$.interface.apphook", appProp: "app", static: [] },
    channels: { type: "$.discord.channel[]", appProp: "app" },
    listed: { type: "$.interface.apphook", appProp: "app", eventNames: ["meeting.ended", 7] },
  },
  run(event) {
    return [this.fixed.type, this.listed.appProp, event];
  },
});
