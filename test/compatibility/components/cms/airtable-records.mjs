import Airtable from "airtable";

export default {
  name: "Airtable Records",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    airtable: {
      type: "app",
      app: "airtable",
      methods: {
        base(id) {
          return new Airtable({ apiKey: this.$auth.oauth_access_token, noRetryIfRateLimited: true }).base(id);
        },
      },
    },
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
  },
  async run() {
    const table = this.airtable.base("app1")("Tasks & Ü");
    const filterByFormula = `LAST_MODIFIED_TIME() > "${this.db.get("last") ?? ""}"`;
    await table
      .select({ filterByFormula, pageSize: 2, sort: [{ field: "Name", direction: "desc" }], fields: ["Name"] })
      .eachPage((records, next) => {
        records.forEach((record) =>
          this.$emit(
            { id: record.id, ...record.fields, name: record.get("Name") },
            { id: record.id, summary: record.get("Name") },
          ),
        );
        next();
      });
    const [created] = await table.create([{ fields: { Name: "ö" } }], { typecast: true });
    this.db.set("last", created.id);
    await table.find("rec404").catch(({ error, message, statusCode }) => {
      throw new Error(`${error} ${statusCode}: ${message}`);
    });
  },
};
