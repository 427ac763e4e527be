import * as contentful from "contentful";

export default {
  name: "Contentful entries",
  version: "0.0.1",
  props: { db: "$.service.db", timer: "$.interface.timer" },
  async run() {
    const client = contentful.createClient({ space: "s1", accessToken: "ct", retryOnError: false });
    const { items, total } = await client.getEntries({
      content_type: "post",
      "sys.updatedAt[gt]": this.db.get("since") ?? "2026-01-01",
    });
    for (const { sys, fields } of items) this.$emit({ id: sys.id, ...fields });
    this.db.set("since", total);
    this.$emit(
      await client.getEntry("none").catch(({ name, message }) => ({ name, status: JSON.parse(message).status })),
    );
  },
};
