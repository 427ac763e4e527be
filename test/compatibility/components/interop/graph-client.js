import graph from "@microsoft/microsoft-graph-client";

export default {
  name: "Graph client by default",
  version: "0.0.1",
  props: { timer: "$.interface.timer", outlook: { type: "app", app: "outlook", methods: {} } },
  async run() {
    const client = graph.Client.initWithMiddleware({
      authProvider: { getAccessToken: async () => this.outlook.$auth.oauth_access_token },
    });
    const { value } = await client.api("/me/events").select("id,subject").top(2).orderby("start/dateTime").get();
    for (const { id, subject } of value) this.$emit({ id, subject }, { id, summary: subject });
    try {
      await client.api("/me/nothing").get();
    } catch (error) {
      this.$emit({ is: error instanceof graph.GraphError, code: error.code, status: error.statusCode });
    }
    this.$emit({
      names: Object.keys(graph)
        .filter((name) => /^(Client|GraphError|PageIterator)$/.test(name))
        .sort(),
    });
  },
};
