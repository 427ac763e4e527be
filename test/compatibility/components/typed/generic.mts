import { URL } from "node:url";
import type { Page } from "./common/page.ts";
import { pages } from "./common/page.ts";
import compiled from "../interop/compiled.cjs";

interface Lead {
  readonly id: number;
  readonly email: string;
}

interface Self {
  $emit(event: unknown, meta?: { id?: string | number; summary?: string }): void;
  db: { get<T>(key: string): T | undefined; set(key: string, value: unknown): void };
}

const ask = async <T,>(url: URL): Promise<Page<T>> => (await (await fetch(url)).json()) as Page<T>;

const component = {
  name: "Generic",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
  async run(this: Self): Promise<void> {
    const seen = this.db.get<number>("seen") ?? 0;
    for await (const lead of pages<Lead>((page) =>
      ask(new URL(`https://leads.example.com/?page=${page}&seen=${seen}`)),
    ))
      this.$emit({ ...lead, by: new compiled.default("x").region } satisfies Lead & { by: string }, {
        id: lead.id,
        summary: lead.email,
      });
    this.db.set("seen", seen + 1);
  },
};

export default component;
