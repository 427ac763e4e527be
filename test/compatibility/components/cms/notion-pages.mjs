import { APIErrorCode, Client, collectPaginatedAPI, isNotionClientError, iteratePaginatedAPI } from "@notionhq/client";

export default {
  name: "Notion Pages",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    notion: {
      type: "app",
      app: "notion",
      methods: {
        client() {
          return new Client({ auth: this.$auth.oauth_access_token, retry: false, logLevel: "error" });
        },
      },
    },
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    dataSourceId: "string",
  },
  async run() {
    const notion = this.notion.client();
    const sorts = [{ timestamp: "last_edited_time", direction: "ascending" }];
    const query = { data_source_id: this.dataSourceId, sorts, page_size: 2 };
    for await (const { id, properties, last_edited_time: at } of iteratePaginatedAPI(notion.dataSources.query, query)) {
      const text = properties.Name.title.map(({ plain_text: part }) => part).join("");
      this.$emit({ id, text }, { id: `${id}-${at}`, summary: text, ts: Date.parse(at) });
    }
    const users = await collectPaginatedAPI(notion.users.list, {});
    this.db.set(
      "users",
      users.map(({ name }) => name),
    );
    try {
      await notion.pages.retrieve({ page_id: "gone" });
    } catch (error) {
      if (!isNotionClientError(error) || error.code !== APIErrorCode.ObjectNotFound) throw error;
      this.$emit({ code: error.code, status: error.status, message: error.message }, { id: "gone" });
    }
  },
};
