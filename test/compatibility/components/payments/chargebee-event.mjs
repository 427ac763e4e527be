import Chargebee from "chargebee";

/** Asks the API for the event that a webhook announced: nobody else's word counts. */
export default {
  name: "Chargebee Event",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    chargebee: {
      type: "app",
      app: "chargebee",
      methods: {
        client() {
          return new Chargebee({ site: this.$auth.sub_url, apiKey: this.$auth.api_key });
        },
      },
    },
    http: "$.interface.http",
  },
  async run({ body }) {
    const client = this.chargebee.client();
    const { event } = await client.event.retrieve(body.id);
    const { list, next_offset: next } = await client.customer.list({
      limit: 2,
      first_name: { is: "Zoë" },
      "sort_by[asc]": "created_at",
    });
    const customers = list.map(({ customer }) => customer.id);
    this.$emit(
      { type: event.event_type, customers, next },
      { id: event.id, summary: event.event_type, ts: event.occurred_at * 1000 },
    );
    await client.subscription.cancelForItems(body.subscription, { end_of_term: true }).catch((error) => {
      throw new Error(`${error.http_status_code} ${error.api_error_code}: ${error.message}`);
    });
  },
};
