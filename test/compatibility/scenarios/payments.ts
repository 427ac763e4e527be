import { createHmac } from "node:crypto";

import { postJson, type Answer, type Scenario, type Step, tick } from "../scenario.ts";

function stripeEvent(id: string, secret: string): Step {
  const body = {
    id,
    object: "event",
    type: "charge.succeeded",
    created: 1_767_225_600,
    data: { object: { customer: "cus_ü" } },
  };
  const signature = createHmac("sha256", secret)
    .update(`1767225600.${JSON.stringify(body)}`)
    .digest("hex");
  return postJson(body, { "stripe-signature": `t=1767225600,v1=${signature}` });
}

const stripeHook: Answer = ({ url, method }) => {
  if (url.includes("/customers/")) return { body: { id: "cus_ü", object: "customer", email: "z@example.com" } };
  if (method === "DELETE") return { body: { id: "we_1", deleted: true } };
  return { body: { id: "we_1", object: "webhook_endpoint", secret: "whsec_1" } };
};

const stripeCharges: Answer = ({ url, method }) => {
  const { searchParams } = new URL(url);
  const charge = (id: number): object => ({ id: `ch_${id}`, object: "charge", amount: id * 100, created: id });
  if (method === "POST") {
    const error = { type: "card_error", code: "card_declined", decline_code: "lost_card", message: "Declined ü" };
    return { status: 402, headers: { "request-id": "req_1" }, body: { error } };
  }
  const isLast = searchParams.has("starting_after");
  return {
    body: {
      object: "list",
      url: "/v1/charges",
      has_more: !isLast,
      data: isLast ? [charge(1)] : [charge(3), charge(2)],
    },
  };
};

const chargebee: Answer = ({ url }) => {
  if (url.includes("/events/"))
    return { body: { event: { id: "ev_1", event_type: "customer_created", occurred_at: 1_767_225_600 } } };
  if (url.includes("/customers")) return { body: { list: [{ customer: { id: "c1" } }], next_offset: '["1"]' } };
  return {
    status: 404,
    body: { message: "No such subscription", api_error_code: "resource_not_found", http_status_code: 404 },
  };
};

const shopify: Answer = ({ url, method }) => {
  const { pathname, searchParams, origin } = new URL(url);
  if (method === "POST") return { status: 201, body: { webhook: { id: 901, topic: "orders/create" } } };
  if (method === "DELETE") return { body: {} };
  if (pathname.endsWith("/404.json")) return { status: 404, body: { errors: "Not Found" } };
  if (searchParams.has("page_info")) return { body: { orders: [{ id: 3, name: "#3" }] } };
  const link = `<${origin}${pathname}?limit=2&page_info=p2>; rel="next"`;
  return {
    headers: { link },
    body: {
      orders: [
        { id: 1, name: "#1" },
        { id: 2, name: "#2" },
      ],
    },
  };
};

export const withPayments: readonly Scenario[] = [
  {
    title: "Stripe's events are verified, and their customers asked for",
    component: "payments/stripe-event.mjs",
    packages: ["stripe"],
    auth: { stripe: { api_key: "sk_test_1" } },
    steps: [stripeEvent("evt_1", "whsec_1"), stripeEvent("evt_1", "whsec_1"), stripeEvent("evt_2", "another")],
    upstream: stripeHook,
  },
  {
    title: "Stripe's charges are listed, and one is refused",
    component: "payments/stripe-charges.mjs",
    packages: ["stripe"],
    auth: { stripe: { api_key: "sk_test_1" } },
    headers: ["idempotency-key", "stripe-account"],
    steps: [tick, tick],
    upstream: stripeCharges,
  },
  {
    title: "Chargebee's events are asked for",
    component: "payments/chargebee-event.mjs",
    packages: ["chargebee"],
    auth: { chargebee: { sub_url: "acme-test", api_key: "cb" } },
    steps: [postJson({ id: "ev_1", subscription: "sub 1" })],
    upstream: chargebee,
  },
  {
    title: "Shopify's orders are read by its links",
    component: "payments/shopify-orders.mjs",
    packages: ["shopify-api-node"],
    auth: { shopify: { shop_id: "acme", oauth_access_token: "shpat" } },
    headers: ["x-shopify-access-token"],
    steps: [postJson({ ids: [1, 2, 3] })],
    upstream: shopify,
  },
];
