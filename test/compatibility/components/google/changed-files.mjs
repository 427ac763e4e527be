import { v5 as uuid } from "uuid";

import drive from "./drive.app.mjs";

/** Watches a drive: registers a channel, reads the changes that it announces, and their files. */
export default {
  name: "Changed Files",
  version: "0.0.1",
  dedupe: "unique",
  props: { drive, db: "$.service.db", http: { type: "$.interface.http", customResponse: true } },
  hooks: {
    async activate() {
      const { changes } = this.drive.client();
      const { data } = await changes.getStartPageToken({ supportsAllDrives: true });
      const requestBody = { id: uuid("channel", uuid.URL), type: "web_hook", address: "https://here.example.com" };
      const channel = await changes.watch({ pageToken: data.startPageToken, requestBody });
      this.db.set("channel", channel.data);
      this.db.set("pageToken", data.startPageToken);
    },
    async deactivate() {
      const { id, resourceId } = this.db.get("channel");
      await this.drive.client().channels.stop({ requestBody: { id, resourceId } });
    },
  },
  async run({ headers }) {
    this.http.respond({ status: 200 });
    if (headers["x-goog-channel-id"] !== this.db.get("channel").id) return;
    const { changes, files } = this.drive.client();
    const { data } = await changes.list({ pageToken: this.db.get("pageToken"), fields: "*" });
    for (const { fileId, time } of data.changes) {
      const { data: text } = await files.get({ fileId, alt: "media" }, { responseType: "text" });
      this.$emit({ fileId, text }, { id: `${fileId}-${time}`, summary: fileId, ts: Date.parse(time) });
    }
    this.db.set("pageToken", data.newStartPageToken);
  },
};
