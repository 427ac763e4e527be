/* oxlint-disable -- programs as authors write them */
import { defineApp, defineComponent } from "@x/types";
import type { Database, DataStore, DbProp, HttpEvent, TimerEvent } from "@x/types";

import { same } from "../same.cases.ts";

// # the event of an HTTP interface
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http" } },
  run(event) {
    same<typeof event, HttpEvent>();
    same<typeof event.bodyRaw, string>();
    return [event.method, event.path, event.query["page"], event.headers["x-signature"], event.client_ip];
  },
});

// # the event of the short form
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run(event) {
    same<typeof event, HttpEvent>();
  },
});

// # a body is what the sender made it
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run({ body, headers: { "x-kind": kind } }) {
    for (const item of body.items) void this.$emit(item, { summary: `${kind}: ${item.title}` });
  },
});

// # the event of a timer
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer" } },
  run(event) {
    same<typeof event, TimerEvent>();
    return event.timestamp + event.interval_seconds;
  },
});

// # the event of both interfaces, told apart by a field
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", timer: "$.interface.timer" },
  run(event) {
    if (event.timestamp) {
      same<typeof event.interval_seconds, number>();
      return;
    }
    event.headers["x-kind"];
    const { body, headers } = event;
    return [body, headers];
  },
});

// # the event of both interfaces, told apart by its method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", timer: "$.interface.timer" },
  run(event) {
    if (event.method !== undefined) {
      same<typeof event.method, string>();
      same<typeof event.headers, HttpEvent["headers"]>();
      return event.body.id;
    }
    same<typeof event.timestamp, number>();
    same<typeof event.cron, string | undefined>();
  },
});

// # the event of both interfaces, told apart by a method that is truthy
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer" }, http: { type: "$.interface.http", customResponse: true } },
  run(event) {
    if (event.method) {
      same<typeof event.query, HttpEvent["query"]>();
      return this.http.respond({ status: 200, body: event.path });
    }
    const since: number | undefined = event.interval_seconds;
    return since;
  },
});

// # the event of both interfaces, told apart by in
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", timer: "$.interface.timer" },
  run(event) {
    if ("method" in event) {
      same<typeof event.headers, HttpEvent["headers"]>();
      same<typeof event.bodyRaw, string>();
      return event.method === "POST" ? event.body.id : undefined;
    }
    same<typeof event.timestamp, number>();
    same<typeof event.interval_seconds, number>();
  },
});

// # the event of both interfaces, told apart by a field of a timer with in
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", timer: "$.interface.timer" },
  run(event) {
    if ("timestamp" in event) return event.cron;
    same<typeof event.headers, HttpEvent["headers"]>();
    same<typeof event.method, string>();
  },
});

// # without an interface the event is whatever it is called with
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  run(event) {
    return event.order.id;
  },
});

// # an event that the author described
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run(event: { body: { action: string } }) {
    return event.body.action;
  },
});

// # an answer, with customResponse
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run() {
    await this.http.respond({ status: 200, headers: { "x-a": ["1", "2"], "content-length": 2 }, body: "ok" });
  },
});

// # answers with an object, bytes, nothing
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run(event) {
    if (event.method === "GET") return this.http.respond({ status: 200, body: { url: this.http.endpoint } });
    if (event.method === "PUT") return this.http.respond({ status: 200, body: new Uint8Array(1) });
    return this.http.respond({ status: 204 });
  },
});

// # headers of an answer as a Map, pairs, or what iterates over them
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run(event) {
    if (event.method === "GET") return this.http.respond({ status: 200, headers: new Map([["x-a", "1"]]) });
    if (event.method === "PUT") return this.http.respond({ status: 200, headers: [["x-a", ["1", 2]]] });
    const headers: Iterable<[string, string]> = new Map<string, string>();
    return this.http.respond({ status: 200, headers });
  },
});

// # a Response as the answer, and a stream as a body
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run(event) {
    // The members of `Response` in the DOM's types that matter here.
    interface Received {
      readonly status: number;
      readonly statusText: string;
      readonly headers: { get(name: string): string | null; [Symbol.iterator](): IterableIterator<[string, string]> };
      readonly body: AsyncIterable<Uint8Array> | null;
      json(): Promise<unknown>;
    }
    const received = event.body as Received;
    if (event.method === "GET") return this.http.respond(received);
    async function* parts() {
      yield "a";
      yield new Uint8Array(1);
    }
    return this.http.respond({ status: 200, body: parts() });
  },
});

// # an answer from a method
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  methods: {
    refuse(status: number, error: string) {
      return this.http.respond({ status, body: { error } });
    },
  },
  async run({ method }) {
    if (method !== "POST") return this.refuse(405, "Send a POST request");
  },
});

// # the endpoint in a hook
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { http: "$.interface.http", db: "$.service.db" },
  hooks: {
    async activate() {
      this.db.set("hook", this.http.endpoint.length);
    },
  },
  run() {},
});

// # two HTTP interfaces, one with answers
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { one: "$.interface.http", two: { type: "$.interface.http", customResponse: true } },
  async run(event) {
    same<typeof event, HttpEvent>();
    if (event.url === this.one.endpoint) return;
    await this.two.respond({ status: 200 });
  },
});

// # the db: get with and without a type, set, delete, has, keys
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" },
  run() {
    const count: number = (this.db.get("count") ?? 0) + 1;
    same<ReturnType<typeof this.db.get<string>>, string | undefined>();
    this.db.set("count", count);
    this.db.set(7, { at: new Date() });
    same<typeof this.db, Database>();
    return [this.db.delete("count"), this.db.has("count"), this.db.keys("c")];
  },
});

// # a db with named values
interface Stored {
  cursor: string;
  seen: number[];
}
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" as DbProp<Stored> },
  run() {
    same<ReturnType<typeof this.db.get<"cursor">>, string | undefined>();
    const seen = this.db.get("seen") ?? [];
    same<typeof seen, number[]>();
    this.db.set("cursor", "a");
    this.db.set("seen", [...seen, 1]);
    this.db.delete("cursor");
  },
});

// # a db with named values, long form
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: { type: "$.service.db" } as DbProp<{ last: number }> },
  run() {
    same<ReturnType<typeof this.db.get<"last">>, number | undefined>();
  },
});

// # a db whose keys are not known
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { db: "$.service.db" as DbProp<{ [id: string]: number }> },
  run() {
    for (const id of ["a", "b"]) this.db.set(id, (this.db.get(id) ?? 0) + 1);
    return this.db.keys();
  },
});

// # a data store, and one that may be missing
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    shop: { type: "data_store", label: "Shop", default: "shop" },
    till: { type: "data_store", optional: true, options: ["till", { label: "Other", value: "other" }] },
  },
  async run() {
    same<typeof this.shop, DataStore>();
    same<typeof this.till, DataStore | undefined>();
    const seen = (await this.shop.get<string[]>("seen")) ?? [];
    same<typeof seen, string[]>();
    await this.shop.set("seen", [...seen, "a"]);
    same<boolean, Awaited<ReturnType<typeof this.shop.delete>>>();
    for (const [key, value] of await this.shop.entries()) await this.till?.set(key, value);
    return [await this.shop.size(), await this.shop.has(7), await this.shop.keys()];
  },
});

// # a db handed to an app
const store = defineApp({
  type: "app",
  app: "store",
  methods: {
    remember(db: Database, at: number): void {
      db.set("at", at);
    },
  },
});
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { store, db: "$.service.db" },
  run() {
    this.store.remember(this.db, 1);
  },
});
