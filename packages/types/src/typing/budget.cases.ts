/** The app of the measured components. */
export const budgetApp = `import { defineApp } from "@x/types";
export default defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    team: {
      type: "string",
      label: "Team",
      async options({ page }) {
        return await this.teams(page);
      },
    },
    labels: { type: "string[]", label: "Labels", optional: true },
  },
  methods: {
    baseUrl(): string {
      return "https://acme.test/" + this.$auth.region;
    },
    async teams(page: number): Promise<string[]> {
      return [this.baseUrl(), String(page)];
    },
    async items(team: string, limit: number): Promise<{ id: string; at: number }[]> {
      return [{ id: team, at: limit }];
    },
  },
});
`;

/** A realistic component: ten props, an app, inherited props, options, methods, a hook. */
export const budgetComponent = (number: number): string => `import { defineComponent } from "@x/types";
import acme from "./app.ts";
export default defineComponent({
  key: "case-${number}",
  name: "Case ${number}",
  description: "One of many",
  version: "0.0.${number}",
  type: "source",
  dedupe: "unique",
  props: {
    acme,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    team: { propDefinition: [acme, "team"] },
    labels: { propDefinition: [acme, "labels", ({ team }) => ({ team })], description: "Which" },
    query: { type: "string", label: "Query", description: "What", optional: true },
    limit: { type: "integer", label: "Limit", description: "How many", min: 1, optional: true, default: 10 },
    states: { type: "string[]", label: "States", options: ["open", "closed"] },
    deep: { type: "boolean", label: "Deep", optional: true, default: false },
    filter: {
      type: "string",
      label: "Filter",
      async options({ page }) {
        return await this.acme.teams(page);
      },
    },
  },
  methods: {
    last(): number {
      return this.db.get("last${number}") ?? 0;
    },
    remember(at: number): void {
      this.db.set("last${number}", at);
    },
    metadata(item: { id: string; at: number }) {
      return { id: item.id, summary: "New " + item.id + this.team, ts: item.at };
    },
    async process(limit: number): Promise<void> {
      for (const item of await this.acme.items(this.team, limit)) {
        if (item.at <= this.last()) continue;
        this.remember(item.at);
        void this.$emit(item, this.metadata(item));
      }
    },
  },
  hooks: {
    async deploy() {
      await this.process(5);
    },
  },
  async run(event) {
    const limit = this.deep ? this.limit * 10 : this.limit;
    if (event.timestamp > 0 && this.states.includes("open") && this.query !== this.filter) await this.process(limit);
  },
});
`;
