import woocommerce from "@woocommerce/woocommerce-rest-api";

const WooCommerce = woocommerce.default;

export default {
  name: "Shop orders",
  version: "0.0.1",
  dedupe: "unique",
  props: { timer: "$.interface.timer" },
  async run() {
    const shop = new WooCommerce({
      url: "https://shop.example.com",
      consumerKey: "ck",
      consumerSecret: "cs",
      version: "wc/v3",
      queryStringAuth: true,
    });
    const { data, headers } = await shop.get("orders", { per_page: 2, after: "2026-01-01T00:00:00" });
    for (const { id, total } of data) this.$emit({ id, total, pages: headers["x-wp-totalpages"] }, { id });
    const failed = await shop
      .put("orders/none", { status: "completed" })
      .catch(({ response }) => ({ status: response.status, data: response.data }));
    this.$emit(failed, { id: "failed" });
  },
};
