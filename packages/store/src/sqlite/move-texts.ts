import type { DatabaseSync } from "node:sqlite";

import { textHash, type Component, type ComponentTexts } from "@x/model";
import { componentRows, familyOf } from "../component-rows.ts";
import { createTextPacker } from "./packed-text.ts";

type FormerComponent = Omit<Component, "texts"> & ComponentTexts;

/** Moves the texts and locks of components out of their records into tables that hold equal ones once. */
export function moveTexts(database: DatabaseSync): void {
  database.exec(`
  CREATE TABLE text (
    place INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, family TEXT, data BLOB NOT NULL
  ) STRICT;
  CREATE INDEX text_family ON text (family) WHERE family IS NOT NULL;

  CREATE TABLE package_lock (hash TEXT PRIMARY KEY, key TEXT NOT NULL, record TEXT NOT NULL) STRICT;
  ALTER TABLE component ADD COLUMN lock_hash TEXT;
  CREATE INDEX source_component ON source (json_extract(record, '$.componentId'));

  CREATE TABLE registry_file (
    registry TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (registry, id)
  ) STRICT, WITHOUT ROWID;
  `);
  const packer = createTextPacker(database);
  const next = database.prepare("SELECT place, record FROM component WHERE place > ? ORDER BY place LIMIT 1");
  const addText = database.prepare("INSERT INTO text (hash, family, data) VALUES (?, ?, ?)");
  const addLock = database.prepare("INSERT OR IGNORE INTO package_lock (hash, key, record) VALUES (?, ?, ?)");
  const update = database.prepare("UPDATE component SET lock_hash = ?, record = ? WHERE place = ?");
  for (let place = 0; ;) {
    const row = next.get(place) as { place: number; record: string } | undefined;
    if (!row) return;
    ({ place } = row);
    const { code, bundle, sourceMap, ...rest } = JSON.parse(row.record) as FormerComponent;
    const texts = { code: textHash(code), bundle: textHash(bundle), sourceMap: textHash(sourceMap) };
    const { record, lock, likeness } = componentRows({ ...rest, texts });
    for (const [name, text] of Object.entries({ code, bundle, sourceMap })) {
      const each = name as keyof ComponentTexts;
      const packed = packer.pack(texts[each], familyOf(each, likeness), text);
      if (packed) addText.run(...packed);
    }
    if (lock) addLock.run(lock.hash, lock.key, lock.record);
    update.run(lock?.hash ?? null, record, place);
  }
}
