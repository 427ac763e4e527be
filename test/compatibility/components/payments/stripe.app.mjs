import Stripe from "stripe";

export default {
  type: "app",
  app: "stripe",
  methods: {
    _apiKey() {
      return this.$auth.api_key;
    },
    sdk() {
      return new Stripe(this._apiKey(), { maxNetworkRetries: 0, telemetry: false });
    },
  },
};
