import type { Json } from "@x/runtime";

/** A component, a run of it, and a change of its code that the test of the run must notice. */
export interface Scenario {
  readonly name: string;
  readonly kind: "source" | "workflow";
  readonly code: string;
  readonly props?: { readonly [prop: string]: Json };
  /** Runs before the one that becomes a test, and one after it. */
  readonly before?: readonly Json[];
  readonly event: Json;
  readonly httpProp?: string;
  /** Names of the event, when it is one of the app acme. */
  readonly appEvent?: readonly string[];
  /** A part of the code, and what replaces it. */
  readonly change: readonly [from: string, to: string];
}

/** What the upstreams answer, by host and path. */
export const answers = {
  "api.acme.test/hooks": [{ body: { id: "h1" } }],
  "api.acme.test/boards/b1/items": [
    { body: { items: [{ id: "a", title: "first", at: 20 }], next_page_token: "page-two" } },
    {
      body: {
        items: [
          { id: "a", title: "first", at: 20 },
          { id: "b", title: 'the "second"', at: 10, session_token: "session-123456", __proto__: 1 },
        ],
        next_page_token: "page-three",
      },
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-total": "2",
        date: "Mon, 23 Nov 2026 00:00:00 GMT",
      },
    },
  ],
  "api.acme.test/status": [
    { status: 429, headers: { "content-type": "text/plain", "retry-after": "1" }, body: "busy" },
    { headers: { "content-type": "text/html" }, body: "<b>fine</b>" },
  ],
  "api.acme.test/report": [{ status: 204, headers: {}, body: "" }],
  "api.acme.test/image": [{ headers: { "content-type": "image/png" }, body: Buffer.from([0x89, 0x50, 0xff, 0]) }],
  "api.acme.test/v1/things/t1:act": [{ status: 410, body: { error: "gone away" } }],
} as const;

const poller = `export default {
  name: "Poller", version: "0.1.0", dedupe: "unique",
  props: {
    board: { type: "string" },
    token: { type: "string", secret: true },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    http: "$.interface.http",
    db: "$.service.db",
    acme: { type: "app", app: "acme" },
  },
  hooks: { async activate() { await fetch("https://api.acme.test/hooks", { method: "POST" }); } },
  async run(event) {
    const page = this.db.get("page") ?? "";
    const url = "https://api.acme.test/boards/" + this.board + "/items?page=" + page + "&token=" + this.token;
    const answer = await fetch(url, { headers: { authorization: "Bearer " + this.acme.$auth.key } });
    const { items, next_page_token: next } = await answer.json();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const status = await fetch("https://api.acme.test/status");
      if (status.status !== 429) this.db.set("status", await status.text());
    }
    try {
      await fetch("https://down.test/x");
    } catch (error) {
      this.db.set("down", error.name);
    }
    await fetch("https://api.acme.test/report?api_key=key-of-this-code", {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ count: items.length, at: Date.now() }),
    });
    const image = new Uint8Array(await (await fetch("https://api.acme.test/image")).arrayBuffer());
    for (const item of items) {
      const more = { seen: new Date(), ref: crypto.randomUUID(), due: event.timestamp, here: this.http.endpoint };
      this.$emit({ ...item, ...more }, { id: item.id, summary: "Item " + item.title, ts: item.at });
    }
    this.$emit({ bytes: [...image] }, { id: String(image.length), name: "images" });
    this.db.set("page", next);
    this.db.delete("first");
    if (page === "") this.db.set("first", true);
    this.db.set("total", (this.db.get("total") ?? 0) + items.length);
  },
};
`;

const orders = `export default {
  name: "Orders", version: "0.1.0", dedupe: "unique",
  props: {
    secret: { type: "string", secret: true },
    http: { type: "$.interface.http", customResponse: true },
    db: "$.service.db",
  },
  run({ headers, body, client_ip: ip, url, query }) {
    if (headers.authorization !== "Bearer " + this.secret) return this.http.respond({ status: 401 });
    const count = (this.db.get("count") ?? 0) + 1;
    this.db.set("count", count);
    this.db.set("last order", { id: body.id, ip, token: "secret-of-the-db" });
    this.$emit({ ...body, url, query }, { id: body.id, summary: "Order " + body.id });
    this.http.respond({ status: 201, headers: { "content-type": "application/json" }, body: { count } });
  },
};
`;

const failing = `export default {
  name: "Failing", version: "0.1.0", dedupe: "greatest",
  props: { db: "$.service.db" },
  async run({ id, number }) {
    this.db.set("tried", [...(this.db.get("tried") ?? []), id]);
    this.$emit({ id }, { id: number });
    const answer = await fetch("https://api.acme.test/v1/things/" + id + ":act", { method: "POST" });
    if (!answer.ok) throw new TypeError("Thing " + id + " answered " + answer.status + ": " + (await answer.json()).error);
  },
};
`;

const greet = `export default {
  name: "Greet",
  trigger: { type: "http", customResponse: true },
  steps: [
    { name: "words", run: ({ steps }) => steps.trigger.event.body.split(" ") },
    {
      name: "tell",
      run({ steps, $ }) {
        $.send.emit({ words: steps.words.$return_value, run: $.context.id });
        $.respond({ status: 202, body: "told" });
      },
    },
  ],
};
`;

const counting = `export default {
  name: "Counting", version: "0.1.0",
  props: { customers: { type: "data_store", default: "customers" }, sums: { type: "data_store", default: "sums" } },
  async run({ customer, total }) {
    const orders = ((await this.customers.get(customer)) ?? { orders: 0 }).orders + 1;
    await this.customers.set(customer, { orders, token: "secret-of-the-store" });
    if (orders === 1) await this.sums.set("first", customer);
    else await this.sums.delete("first");
    this.$emit({ orders, all: await this.customers.size() }, { summary: customer + " has " + orders });
  },
};
`;

const counted = `const count = {
  name: "count", version: "0.1.0", props: { totals: { type: "data_store" } },
  async run() {
    const total = ((await this.totals.get("total")) ?? 0) + 1;
    await this.totals.set("total", total);
    return total;
  },
};
export default {
  name: "Counted",
  steps: [
    { name: "count", action: count, props: { totals: "totals" } },
    { name: "tell", run({ steps, $ }) { $.send.emit({ total: steps.count.$return_value }); } },
  ],
};
`;

const request = (id: string): Json => ({
  method: "POST",
  path: "/",
  query: { code: "verify-123456" },
  headers: { "content-type": "application/json", authorization: "Bearer secret-of-orders" },
  body: { id, total: 12 },
  bodyRaw: JSON.stringify({ id, total: 12 }),
  url: "http://127.0.0.1:7777/in/key?code=verify-123456",
  client_ip: "192.0.2.7",
});

const listener = `export default {
  name: "Listener", version: "0.1.0", dedupe: "unique",
  props: {
    acme: { type: "app", app: "acme" },
    hook: { type: "$.interface.apphook", appProp: "acme", static: ["order.paid", "order.lost"] },
  },
  run(event) { this.$emit({ paid: event.order }, { id: event.id, summary: "Order " + event.order }); },
};`;

export const scenarios: readonly Scenario[] = [
  {
    name: "poller",
    kind: "source",
    code: poller,
    props: { board: "b1", token: "token-of-the-prop" },
    before: [{ timestamp: 1_767_225_600, interval_seconds: 900 }],
    event: { timestamp: 1_767_226_500, interval_seconds: 900 },
    change: ['"Item "', '"Thing "'],
  },
  {
    name: "orders",
    kind: "source",
    code: orders,
    props: { secret: "secret-of-orders" },
    before: [request("A-1"), request("A-2")],
    event: request("A-3"),
    httpProp: "http",
    change: ["?? 0) + 1", "?? 0) + 2"],
  },
  {
    name: "failing",
    kind: "source",
    code: failing,
    before: [{ id: "t1", number: 7 }],
    event: { id: "t1", number: 7 },
    change: ["new TypeError", "new RangeError"],
  },
  {
    name: "greet",
    kind: "workflow",
    code: greet,
    event: { method: "POST", path: "/", query: {}, headers: {}, body: "hello world", bodyRaw: "hello world" },
    httpProp: "http",
    change: ["status: 202", "status: 200"],
  },
  {
    name: "counting",
    kind: "source",
    code: counting,
    before: [{ customer: "ann" }, { customer: "bob" }],
    event: { customer: "ann" },
    change: [").orders + 1", ").orders + 2"],
  },
  {
    name: "counted",
    kind: "workflow",
    code: counted,
    before: [{}, {}],
    event: {},
    change: ["?? 0) + 1", "?? 0) + 2"],
  },
  {
    name: "listener",
    kind: "source",
    code: listener,
    before: [{ id: "e1", order: "A-1" }],
    event: { id: "e2", order: "A-2" },
    appEvent: ["order", "order.paid"],
    change: ["paid: event", "lost: event"],
  },
];
