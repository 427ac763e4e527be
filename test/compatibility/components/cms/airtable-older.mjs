import Airtable from "airtable__11";

export default {
  name: "Airtable of an older version",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const table = new Airtable({ apiKey: "key", noRetryIfRateLimited: true }).base("app1")("Tasks");
    const records = await table.select({ pageSize: 2 }).firstPage();
    for (const record of records) this.$emit({ id: record.id, name: record.get("Name") }, { id: record.id });
    await table.find("rec404").catch(({ error, statusCode }) => this.$emit({ error, statusCode }));
  },
};
