import stripe from "./stripe.app.mjs";

export default {
  name: "Stripe Event",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    stripe,
    db: "$.service.db",
    http: { type: "$.interface.http", customResponse: true },
    types: { type: "string[]", default: ["*"] },
  },
  hooks: {
    async activate() {
      const endpoint = await this.stripe.sdk().webhookEndpoints.create({
        url: "https://here.example.com/in",
        enabled_events: this.types,
        metadata: { by: "ü & co" },
      });
      this.db.set("endpoint", JSON.stringify(endpoint));
    },
    async deactivate() {
      const { id } = JSON.parse(this.db.get("endpoint"));
      await this.stripe.sdk().webhookEndpoints.del(id);
    },
  },
  async run(event) {
    const sdk = this.stripe.sdk();
    const { secret } = JSON.parse(this.db.get("endpoint"));
    let genuine;
    try {
      const tolerance = Number.MAX_SAFE_INTEGER;
      genuine = sdk.webhooks.constructEvent(event.bodyRaw, event.headers["stripe-signature"], secret, tolerance);
    } catch (error) {
      this.http.respond({ status: 400, body: { type: error.type, name: error.constructor.name } });
      return;
    }
    this.http.respond({ status: 200, headers: { "content-type": "application/json" }, body: '{"received":true}' });
    const customer = await sdk.customers.retrieve(genuine.data.object.customer, { expand: ["default_source"] });
    this.$emit(
      { event: genuine, customer: customer.email },
      { id: genuine.id, summary: `Event ${genuine.type}`, ts: genuine.created * 1000 },
    );
  },
};
