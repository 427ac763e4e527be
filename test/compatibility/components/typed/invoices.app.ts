import { axios } from "@pipedream/platform";
import { defineApp } from "@pipedream/types";

import type { Invoice, ListParams } from "./common/types.ts";

export default defineApp({
  type: "app",
  app: "invoices",
  methods: {
    async list(params: ListParams): Promise<Invoice[]> {
      const auth = { username: this.$auth.user as string, password: this.$auth.api_key as string };
      const { invoices } = await axios(this, { url: "https://invoices.example.com/v2/invoices", auth, params });
      return invoices as Invoice[];
    },
    total({ lines }: Invoice): number {
      return lines.reduce((sum, { cents }) => sum + cents, 0) / 100;
    },
  },
});
