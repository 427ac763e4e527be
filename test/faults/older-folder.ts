import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { testEngine } from "../../packages/runtime/src/engine.cases.ts";
import { assembleRuntime } from "../../packages/runtime/src/runtime.ts";
import type { Store } from "../../packages/store/src/contract.ts";
import { createMemoryStore } from "../../packages/store/src/memory/memory.ts";
import { migrate, migrations } from "../../packages/store/src/sqlite/schema.ts";
import type { Random } from "./random.ts";
import { apiKey, ask, runAndKill, serveArgs, startService } from "./service.child.ts";

/** Folders of older versions, with acknowledged triggers that have not run. */
export interface OlderFolders {
  /** Kills starts on a copy at random times, then starts it once more, and returns differences. A start takes about `startMs`. */
  killStarts(kills: number, startMs: number): Promise<string[]>;
}

const waiting = 12;
const ballastComponents = 12;
/** Those before the texts of components left their records: each schema has the columns that are filled here. */
const olderSchemas = 6;

const code = `export default {
  name: "Older", version: "1", props: { db: "$.service.db", token: { type: "string", secret: true } },
  run({ id }) { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit({ n, id, token: this.token.length }); },
};`;
const token = "a secret of before";

interface Records {
  readonly store: Store;
  readonly sourceId: string;
  readonly componentId: string;
  readonly userId: string;
}

async function makeRecords(): Promise<Records> {
  const store = createMemoryStore();
  const runtime = await assembleRuntime(
    { engine: await testEngine(), apiKey },
    { ...store, close: async () => undefined },
  );
  const { source } = await runtime.deploy({ code, props: { token } });
  await runtime.close();
  return { store, sourceId: source.id, componentId: source.componentId, userId: source.userId };
}

async function fill(file: string, schema: number, records: Records): Promise<void> {
  const { store, sourceId, componentId, userId } = records;
  const database = new DatabaseSync(file);
  migrate(database, migrations.slice(0, schema));
  const put = (table: string, row: { readonly [column: string]: string | number | null }): void => {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    database.prepare(sql).run(...Object.values(row));
  };
  const [user, source, component] = [
    await store.user(userId),
    await store.source(sourceId),
    await store.component(componentId),
  ];
  if (!user || !source || !component) throw new Error("The records are not there");
  const { texts, ...rest } = component;
  const [text = "", bundle = "", sourceMap = ""] = await Promise.all(
    [texts.code, texts.bundle, texts.sourceMap].map((hash) => store.text(hash)),
  );
  put("user", { id: userId, api_key: user.apiKey, record: JSON.stringify(user) });
  for (let n = 0; n <= ballastComponents; n++) {
    const own = n === 0 ? {} : { id: `sc_ballast${n}`, contentHash: `ballast-${n}` };
    const library =
      n === 0 ? "" : Array.from({ length: 12_000 }, (_, line) => `var v${line} = ${line * n};`).join("\n");
    const record = { ...rest, ...own, code: text, bundle: `${bundle}\n${library}`, sourceMap };
    const { id, contentHash } = record;
    put("component", { id, user_id: userId, key: null, content_hash: contentHash, record: JSON.stringify(record) });
  }
  put("source", { id: sourceId, user_id: userId, name_slug: source.nameSlug, record: JSON.stringify(source) });
  for (let n = 0; n < waiting; n++) {
    const event = JSON.stringify({ id: `waits-${n}` });
    put("inbox", {
      id: `t_${n}`,
      source_id: sourceId,
      type: "SUBSCRIPTION",
      at: n,
      crashes: 0,
      hops: 0,
      running: 0,
      event,
    });
  }
  database.close();
}

export async function createOlderFolders(folder: string, random: Random): Promise<OlderFolders> {
  const records = await makeRecords();
  let copies = 0;

  async function judge(data: string): Promise<string[]> {
    const service = await startService(data);
    try {
      const { sourceId } = records;
      const body = { event: { id: "probe" } };
      const run = await ask<{ data: { status: string } }>(service.url, "POST", `/sources/${sourceId}/run`, body);
      const list = `/sources/${sourceId}/event_summaries?expand=event&limit=100`;
      const { data: rows } = await ask<{ data: { event: object }[] }>(service.url, "GET", list);
      const seen = rows.map(({ event }) => JSON.stringify(event)).toReversed();
      const ids = [...Array.from({ length: waiting }, (_, n) => `waits-${n}`), "probe"];
      const wanted = ids.map((id, n) => JSON.stringify({ n: n + 1, id, token: token.length }));
      const problems = run.data.status === "ok" ? [] : [`the probe ended ${run.data.status}`];
      if (seen.join() !== wanted.join()) problems.push(`events ${seen.join()}, expected ${wanted.join()}`);
      for (let n = 1; n <= ballastComponents; n++) {
        const { data: ballast } = await ask<{ data: { code: string } }>(
          service.url,
          "GET",
          `/components/sc_ballast${n}`,
        );
        if (ballast.code !== code) problems.push(`component ${n} has other code`);
      }
      return problems;
    } finally {
      await service.kill();
    }
  }

  const templates = new Map<number, string>();

  return {
    async killStarts(kills, startMs) {
      const schema = 1 + Math.floor(random() * olderSchemas);
      const template = templates.get(schema) ?? join(folder, `older-${schema}.db`);
      if (!templates.has(schema)) await fill(template, schema, records);
      templates.set(schema, template);
      const data = join(folder, `older-copy-${++copies}`);
      mkdirSync(data);
      cpSync(template, join(data, "x.db"));
      for (let kill = 0; kill < kills; kill++) await runAndKill(serveArgs(data), random() * startMs);
      const problems = [...(await judge(data)), ...checkFile(data)];
      rmSync(data, { recursive: true });
      return problems.map((problem) => `a folder of schema ${schema}: ${problem}`);
    },
  };
}

/** Problems of a data file. */
export function checkFile(data: string): string[] {
  const database = new DatabaseSync(join(data, "x.db"), { readOnly: true });
  try {
    const answer = database.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
    return answer === "ok" ? [] : [`integrity_check: ${String(answer)}`];
  } finally {
    database.close();
  }
}
