import Shopify from "shopify-api-node";

/** A webhook at the shop, and the orders that it announces. */
export default {
  name: "Shopify Orders",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    shopify: {
      type: "app",
      app: "shopify",
      methods: {
        client() {
          return new Shopify({
            shopName: this.$auth.shop_id,
            accessToken: this.$auth.oauth_access_token,
            apiVersion: "2026-01",
            maxRetries: 0,
          });
        },
      },
    },
    db: "$.service.db",
    http: "$.interface.http",
  },
  hooks: {
    async activate() {
      const { id } = await this.shopify
        .client()
        .webhook.create({ address: "https://here.example.com/in", topic: "orders/create", format: "json" });
      this.db.set("hook", id);
    },
    async deactivate() {
      await this.shopify.client().webhook.delete(this.db.get("hook"));
    },
  },
  async run({ body }) {
    const client = this.shopify.client();
    let params = { limit: 2, ids: body.ids.join(",") };
    while (params) {
      const orders = await client.order.list(params);
      for (const { id, name } of orders) this.$emit({ id, name }, { id, summary: name });
      params = orders.nextPageParameters;
    }
    await client.order
      .get(404)
      .catch(({ name, message, response }) =>
        this.$emit({ name, message, status: response.statusCode }, { id: "missing" }),
      );
  },
};
