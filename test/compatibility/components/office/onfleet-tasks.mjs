import Onfleet from "@onfleet/node-onfleet";

export default {
  name: "Onfleet Tasks",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    onfleet: {
      type: "app",
      app: "onfleet",
      methods: {
        api() {
          return new Onfleet(this.$auth.api_key, 5000);
        },
      },
    },
    db: "$.service.db",
    http: { type: "$.interface.http", customResponse: true },
  },
  hooks: {
    async activate() {
      const { id } = await this.onfleet
        .api()
        .webhooks.create({ url: "https://here.example.com", trigger: 3, name: "compat" });
      this.db.set("hookId", id);
    },
    async deactivate() {
      await this.onfleet.api().webhooks.deleteOne(this.db.get("hookId"));
    },
  },
  async run({ query, body }) {
    this.http.respond({ status: 200, body: query?.check ?? body.check ?? "" });
    if (body.check) return;
    const { tasks } = await this.onfleet.api().tasks.get({ from: 1, state: "1,3" });
    for (const { id, notes } of tasks) this.$emit({ id, notes, at: body.time }, { id, summary: notes });
    await this.onfleet
      .api()
      .tasks.get("missingmissingmissing000")
      .catch((error) => {
        throw new Error(`${error.name} ${error.status} ${error.cause}: ${error.message}`);
      });
  },
};
