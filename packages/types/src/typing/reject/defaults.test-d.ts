/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineComponent } from "@x/types";

// # a default of another type: text for an integer
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    count: {
      type: "integer",
      optional: true,
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "10",
    },
  },
  run() {},
});

// # a default of another type: text for a boolean
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    flag: {
      type: "boolean",
      // @ts-expect-error -- default: default of a prop of type boolean must be true or false
      default: "true",
    },
  },
  run() {},
});

// # a default of another type: one text for a list
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    list: {
      type: "string[]",
      // @ts-expect-error -- default: default of a prop of type string[] must be a list of texts
      default: "a",
    },
  },
  run() {},
});

// # a timer's default in another unit
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- default: default of a prop of type $.interface.timer must be { intervalSeconds } or { cron }
      default: { intervalMinutes: 1 },
    },
  },
  run() {},
});

// # a timer's default as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- default: default of a prop of type $.interface.timer must be { intervalSeconds } or { cron }
      default: "0 9 * * *",
    },
  },
  run() {},
});

// # a fixed schedule in another unit
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- static: static of a prop of type $.interface.timer must be { intervalSeconds } or { cron }
      static: { seconds: 60 },
    },
  },
  run() {},
});

// # a timer's interval as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- default: must be { intervalSeconds } or { cron }
      default: { intervalSeconds: "60" },
    },
  },
  run() {},
});

// # a timer with an interval and cron
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- default: must be { intervalSeconds } or { cron }
      default: { intervalSeconds: 60, cron: "* * * * *" },
    },
  },
  run() {},
});
