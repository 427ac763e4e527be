import stripe from "./stripe.app.mjs";

/** Charges, page by page, and what a refused one says. */
export default {
  name: "Stripe Charges",
  version: "0.0.1",
  dedupe: "unique",
  props: { stripe, db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  async run() {
    const sdk = this.stripe.sdk();
    const since = this.db.get("since") ?? 0;
    const charges = await sdk.charges.list({ limit: 2, created: { gt: since } }).autoPagingToArray({ limit: 100 });
    charges
      .reverse()
      .forEach(({ id, amount, created }) =>
        this.$emit({ id, amount }, { id, summary: `${amount / 100} €`, ts: created }),
      );
    this.db.set("since", Math.max(...charges.map(({ created }) => created)));
    try {
      await sdk.charges.create(
        { amount: 1, currency: "eur", source: "tok" },
        { idempotencyKey: "key-1", stripeAccount: "acct_1" },
      );
    } catch (error) {
      const { type, code, statusCode, requestId, decline_code: declined, message } = error;
      this.$emit({ type, code, statusCode, requestId, declined, message }, { id: `error ${requestId}` });
    }
  },
};
