import { Client } from "@hubspot/api-client";

export default {
  name: "HubSpot contacts",
  version: "0.0.1",
  props: { timer: "$.interface.timer", hubspot: { type: "app", app: "hubspot", methods: {} } },
  async run() {
    const client = new Client({ accessToken: this.hubspot.$auth.oauth_access_token });
    const { results } = await client.crm.contacts.basicApi.getPage(2, undefined, ["email"]);
    for (const { id, properties } of results) this.$emit({ id, properties });
    const failed = await client.crm.contacts.basicApi
      .getById("none")
      .catch((error) => ({ code: error.code, body: error.body }));
    this.$emit(failed);
    const answer = await client.apiRequest({
      method: "POST",
      path: "/crm/v3/objects/notes",
      body: { properties: { text: "ü" } },
    });
    this.$emit({ status: answer.status, body: await answer.json() });
  },
};
