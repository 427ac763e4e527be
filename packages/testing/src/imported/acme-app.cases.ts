import { defineApp } from "@x/types";

/** The app of the component in these tests. */
export default defineApp({
  type: "app",
  app: "acme",
  propDefinitions: {
    board: { type: "string", label: "Board" },
    most: { type: "integer", optional: true },
  },
  methods: {
    async orders(board: string): Promise<{ id: string; total: number }[]> {
      const headers = { authorization: `Bearer ${this.$auth["token"]}` };
      const response = await fetch(`https://api.acme.test/boards/${board}/orders`, { headers });
      return (await response.json()) as { id: string; total: number }[];
    },
  },
});
