/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineApp, defineComponent } from "@x/types";
import type { DbProp } from "@x/types";

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

// # a default of another type beside an option method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "integer",
      options: ({ page }) => [page],
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "10",
    },
  },
  run() {},
});

// # a number for a boolean
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "boolean",
      // @ts-expect-error -- default: default of a prop of type boolean must be true or false
      default: 1,
    },
  },
  run() {},
});

// # a list for an object
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "object",
      // @ts-expect-error -- default: default of a prop of type object must be an object
      default: ["a"],
    },
  },
  run() {},
});

// # a request with other fields
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "http_request",
      // @ts-expect-error -- default: default of a prop of type http_request must be { method, url }
      default: { metod: "GET", uri: "https://api.example" },
    },
  },
  run() {},
});

// # a time zone beside an interval
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "$.interface.timer",
      // @ts-expect-error -- default: default of a prop of type $.interface.timer must be { intervalSeconds } or { cron }
      default: { intervalSeconds: 60, timezone: "Europe/Vienna" },
    },
  },
  run() {},
});

// # a fixed value of another type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    some: {
      type: "integer",
      // @ts-expect-error -- static: static of a prop of type integer must be a number
      static: "3",
    },
  },
  run() {},
});

// # a wrong default after methods that read props: one error
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    both(): string {
      return this.text + this.count;
    },
  },
  props: {
    count: {
      type: "integer",
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "1",
      async options({ page }) {
        return [page, this.text.length];
      },
    },
    text: { type: "string" },
  },
  run() {
    this.both();
  },
});

// # a wrong default in an app
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: { type: "string" },
    labels: {
      type: "string[]",
      // @ts-expect-error -- default: default of a prop of type string[] must be a list of texts
      default: "bug",
    },
  },
});

// # a wrong default beside short forms: one error
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    db: "$.service.db",
    typed: "$.service.db" as DbProp<{ cursor: string }>,
    http: "$.interface.http",
    count: {
      type: "integer",
      // @ts-expect-error -- default: default of a prop of type integer must be a number
      default: "1",
    },
    timer: "$.interface.timer",
  },
  run() {
    this.db.set("count", this.count);
  },
});

// # a schedule with the name of another library for its timezone
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      default: {
        cron: "0 9 * * *",
        // @ts-expect-error -- tz: a schedule has no tz: it is { intervalSeconds } or { cron, timezone }
        tz: "Europe/Berlin",
      },
    },
  },
  run() {},
});

// # an interval with a field that no schedule has
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: { type: "string", default: "a" },
    timer: {
      type: "$.interface.timer",
      label: "When",
      default: {
        intervalSeconds: 60,
        // @ts-expect-error -- unit: a schedule has no unit
        unit: "s",
      },
    },
  },
  run() {
    this.text.trim();
  },
});
