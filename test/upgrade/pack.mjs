// Keeps a data folder, or the dump of a schema with its version, as a fixture: node pack.mjs DATA EXPECTED COMMIT TARGET [VERSION]
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { constants, zstdCompressSync } from "node:zlib";

const [, , data, expected, commit, target, dumped] = process.argv;

/** The schema version of a data folder. */
function versionOf(folder) {
  const database = new DatabaseSync(join(folder, "x.db"));
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const { user_version: version } = database.prepare("PRAGMA user_version").get();
  database.close();
  return String(version);
}

const version = dumped ?? versionOf(data);
const place = join(target, `v${version.padStart(2, "0")}`);
mkdirSync(place, { recursive: true });
const params = { [constants.ZSTD_c_compressionLevel]: 19 };
const [file, name] = dumped === undefined ? [join(data, "x.db"), "x.db.zst"] : [data, "dump.sql.zst"];
writeFileSync(join(place, name), zstdCompressSync(readFileSync(file), { params }));
if (existsSync(join(data, "x.key"))) copyFileSync(join(data, "x.key"), join(place, "x.key"));
const { answers, ...rest } = JSON.parse(readFileSync(expected, "utf8"));
writeFileSync(join(place, "expected.json"), `${JSON.stringify({ commit, ...rest, answers }, null, 2)}\n`);
process.stderr.write(`schema version ${version}: ${place}\n`);
