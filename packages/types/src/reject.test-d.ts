import { defineApp, defineComponent } from "./index.ts";

const head = { name: "case", version: "0.0.1" } as const;
const acme = defineApp({ type: "app", app: "acme", propDefinitions: { team: { type: "string" } }, methods: {} });

// 1 an unknown type
defineComponent({
  ...head,
  props: {
    text: {
      // @ts-expect-error -- no such type
      type: "strin",
    },
  },
  run() {},
});

// 2 an unknown short form
defineComponent({
  ...head,
  props: {
    // @ts-expect-error -- no such service
    db: "$.service.database",
  },
  run() {},
});

// 3 a prop that was not declared
defineComponent({
  ...head,
  props: { text: { type: "string" } },
  run() {
    // @ts-expect-error -- a typo
    return this.txt;
  },
});

// 4 a value used as another type
defineComponent({
  ...head,
  props: { count: { type: "integer" } },
  run() {
    // @ts-expect-error -- a number has no trim
    return this.count.trim();
  },
});

// 5 an optional value used unchecked
defineComponent({
  ...head,
  props: { maybe: { type: "string", optional: true } },
  run() {
    // @ts-expect-error -- it may be undefined
    return this.maybe.length;
  },
});

// 6 no version
// @ts-expect-error -- version is required
defineComponent({ name: "case", run() {} });

// 7 no run
// @ts-expect-error -- run is required
defineComponent({ name: "case", version: "0.0.1" });

// 8 an unknown strategy
defineComponent({
  ...head,
  // @ts-expect-error -- no such strategy
  dedupe: "newest",
  run() {},
});

// 9 deduplicated events need an id
defineComponent({
  ...head,
  dedupe: "unique",
  run() {
    // @ts-expect-error -- no id
    void this.$emit({ a: 1 }, { summary: "a" });
    // @ts-expect-error -- no metadata
    void this.$emit({ a: 1 });
  },
});

// 10 a method that does not exist
defineComponent({
  ...head,
  methods: { one(): void {} },
  run() {
    // @ts-expect-error -- no such method
    this.two();
  },
});

// 11 a definition that the app does not have
defineComponent({
  ...head,
  props: {
    team: {
      // @ts-expect-error -- no such definition
      propDefinition: [acme, "teem"],
    },
  },
  run() {},
});

// 12 a timer default in the wrong unit
defineComponent({
  ...head,
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- intervalSeconds or cron
      default: { intervalMinutes: 1 },
    },
  },
  run() {},
});

// 13 a field of another type of prop
defineComponent({
  ...head,
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- only $.interface.http
      customResponse: true,
    },
  },
  run() {},
});

// 14 a misspelt field
defineComponent({
  ...head,
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- optional
      optionel: true,
    },
  },
  run() {},
});

// 15 an answer without a status
defineComponent({
  ...head,
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- status, not statusCode
    await this.http.respond({ statusCode: 200 });
  },
});

// 16 a time that is not epoch milliseconds
defineComponent({
  ...head,
  run() {
    // @ts-expect-error -- a Date
    void this.$emit({}, { ts: new Date() });
  },
});

// 17 a field of the timer's event in an HTTP event
defineComponent({
  ...head,
  props: { http: "$.interface.http" },
  run(event) {
    // @ts-expect-error -- a request has none
    return event.interval_seconds;
  },
});
