import client from "@sendgrid/client";

export default {
  name: "SendGrid Contacts",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    sendgrid: {
      type: "app",
      app: "sendgrid",
      methods: {
        async request(given) {
          client.setApiKey(this.$auth.api_key);
          const [{ statusCode }, body] = await client.request(given);
          return { statusCode, body };
        },
      },
    },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
  },
  async run() {
    const query = "first_name LIKE 'Zoë%'";
    const found = await this.sendgrid.request({
      url: "/v3/marketing/contacts/search",
      method: "POST",
      body: { query },
    });
    for (const contact of found.body.result)
      this.$emit({ contact, status: found.statusCode }, { id: contact.id, summary: contact.email });
    const listed = await this.sendgrid.request({
      url: "/v3/suppression/bounces",
      method: "GET",
      qs: { start_time: 1, end_time: "a b" },
    });
    this.$emit(listed, { id: "bounces" });
    await this.sendgrid.request({ url: "/v3/missing", method: "GET" }).catch(({ code, message, response }) => {
      throw new Error(`${code} ${message}: ${JSON.stringify(response.body)}`);
    });
  },
};
