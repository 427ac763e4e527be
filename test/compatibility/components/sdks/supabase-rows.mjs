import { createClient } from "@supabase/supabase-js";

export default {
  name: "Supabase rows",
  version: "0.0.1",
  props: { db: "$.service.db", timer: "$.interface.timer" },
  async run() {
    const client = createClient("https://ref.supabase.co", "anon", {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    const { data, count } = await client
      .from("rows")
      .select("id,name", { count: "exact" })
      .gt("id", this.db.get("last") ?? 0)
      .order("id")
      .range(0, 1);
    for (const row of data) this.$emit(row, { id: row.id });
    this.$emit({ count });
    this.db.set("last", data.at(-1)?.id ?? 0);
    const { error, status } = await client.from("rows").insert({ id: 1, name: "ü" }).select();
    this.$emit({ error, status });
    const { data: called } = await client.rpc("add", { a: 1, b: 2 });
    this.$emit({ called });
  },
};
