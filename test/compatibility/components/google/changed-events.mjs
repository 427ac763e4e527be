import calendar from "./calendar.app.mjs";

/** Changes of a calendar by its sync token, which a calendar may take back (410). */
export default {
  name: "Changed Events",
  version: "0.0.1",
  dedupe: "unique",
  props: { calendar, db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  methods: {
    async changes(syncToken) {
      const found = [];
      let pageToken;
      let data;
      do {
        ({ data } = await this.calendar
          .client()
          .events.list({ calendarId: "me@example.com", syncToken, pageToken, singleEvents: true }));
        found.push(...data.items);
        pageToken = data.nextPageToken;
      } while (pageToken);
      this.db.set("syncToken", data.nextSyncToken);
      return found;
    },
  },
  hooks: {
    async deploy() {
      await this.changes();
    },
  },
  async run() {
    const found = await this.changes(this.db.get("syncToken")).catch((error) => {
      if (error.response?.status !== 410) throw error;
      return this.changes();
    });
    found.forEach((event) =>
      this.$emit(event, { id: `${event.id}-${event.updated}`, summary: event.summary, ts: Date.parse(event.updated) }),
    );
  },
};
