/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineComponent } from "@x/types";
import type { DbProp } from "@x/types";

// # respond without customResponse
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run() {
    // @ts-expect-error -- respond: respond needs customResponse: true
    await this.http.respond({ status: 200 });
  },
});

// # respond with customResponse: false
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: false } },
  async run() {
    // @ts-expect-error -- respond: respond needs customResponse: true
    await this.http.respond({ status: 200 });
  },
});

// # respond without customResponse, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http" } },
  methods: {
    answer() {
      // @ts-expect-error -- respond: respond needs customResponse: true
      return this.http.respond({ status: 200 });
    },
  },
  run() {},
});

// # an answer with statusCode
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- statusCode: an answer has status, not statusCode
    await this.http.respond({ statusCode: 200 });
  },
});

// # an answer without a status
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- {: Property 'status' is missing
    await this.http.respond({ body: "ok" });
  },
});

// # a status that is no number
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- status: not assignable to type
    await this.http.respond({ status: "ok" });
  },
});

// # a header that is an object
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- b: 'b' does not exist
    await this.http.respond({ status: 200, headers: { a: { b: 1 } } });
  },
});

// # headers as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- headers: not assignable to type
    await this.http.respond({ status: 200, headers: "x-a: 1" });
  },
});

// # headers as a flat list
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- headers: not assignable to type
    await this.http.respond({ status: 200, headers: ["x-a", "1"] });
  },
});

// # an answer that is text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    // @ts-expect-error -- "ok": not assignable to parameter
    await this.http.respond("ok");
  },
});

// # an HTTP interface has no such member
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run() {
    // @ts-expect-error -- url: Property 'url' does not exist
    return this.http.url;
  },
});

// # a field of the timer's event in a request
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run(event) {
    // @ts-expect-error -- interval_seconds: Property 'interval_seconds' does not exist
    return event.interval_seconds;
  },
});

// # a field of a request in the timer's event
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run(event) {
    // @ts-expect-error -- body: Property 'body' does not exist
    return event.body;
  },
});

// # the interval of a run that may be a request
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer", http: "$.interface.http" },
  run(event) {
    // @ts-expect-error -- event.interval_seconds: possibly 'undefined'
    return event.interval_seconds.toFixed();
  },
});

// # a timer's event used as milliseconds of a Date
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run(event) {
    // @ts-expect-error -- getTime: Property 'getTime' does not exist on type 'number'
    return event.timestamp.getTime();
  },
});

// # a timer cannot be asked for its event
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    // @ts-expect-error -- timestamp: Property 'timestamp' does not exist
    return this.timer.timestamp;
  },
});

// # a db has no such method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" },
  run() {
    // @ts-expect-error -- getItem: Property 'getItem' does not exist
    return this.db.getItem("a");
  },
});

// # a db key that is an object
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" },
  run() {
    // @ts-expect-error -- {: not assignable to parameter of type 'string | number'
    this.db.set({ key: "a" }, 1);
  },
});

// # a key that a described db does not have
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" as DbProp<{ cursor: string }> },
  run() {
    // @ts-expect-error -- "curser": not assignable to parameter of type '"cursor"'
    return this.db.get("curser");
  },
});

// # a value of another type in a described db
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" as DbProp<{ cursor: string }> },
  run() {
    // @ts-expect-error -- 1: Argument of type 'number' is not assignable to parameter of type 'string'
    this.db.set("cursor", 1);
  },
});

// # a described value that may not be there
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: { type: "$.service.db" } as DbProp<{ cursor: string }> },
  run() {
    // @ts-expect-error -- this.db.get("cursor"): possibly 'undefined'
    return this.db.get("cursor").length;
  },
});

// # a described value used as another type, in a method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" as DbProp<{ last: number }> },
  methods: {
    last(): string {
      // @ts-expect-error -- return: Type 'number' is not assignable to type 'string'
      return this.db.get("last") ?? 0;
    },
  },
  run() {},
});

// # customResponse as text: one error, also where an answer is sent
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    http: {
      type: "$.interface.http",
      // @ts-expect-error -- customResponse: customResponse of a prop of type $.interface.http must be true or false
      customResponse: "yes",
    },
  },
  run() {
    return this.http.respond({ status: 200 });
  },
});

// # a misspelt field of a request that was narrowed from a tick
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", timer: "$.interface.timer" },
  run(event) {
    if (!("method" in event)) return;
    // @ts-expect-error -- header: Property 'header' does not exist
    return event.header;
  },
});

// # a field of a request as something else
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", timer: "$.interface.timer" },
  run(event): number {
    if (event.method === undefined) return event.timestamp;
    // @ts-expect-error -- return: Type 'string' is not assignable to type 'number'
    return event.path;
  },
});
