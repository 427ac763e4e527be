// Keeps a data folder as a fixture: node pack.mjs FOLDER EXPECTED TARGET COMMIT
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { constants, zstdCompressSync } from "node:zlib";

const [, , folder, expected, target, commit] = process.argv;
const database = new DatabaseSync(join(folder, "x.db"));
const version = Number(database.prepare("PRAGMA user_version").get().user_version);
database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
database.close();
const place = join(target, `v${String(version).padStart(2, "0")}`);
mkdirSync(place, { recursive: true });
const params = { [constants.ZSTD_c_compressionLevel]: 19 };
writeFileSync(join(place, "x.db.zst"), zstdCompressSync(readFileSync(join(folder, "x.db")), { params }));
if (existsSync(join(folder, "x.key"))) copyFileSync(join(folder, "x.key"), join(place, "x.key"));
const { answers, ...rest } = JSON.parse(readFileSync(expected, "utf8"));
writeFileSync(join(place, "expected.json"), `${JSON.stringify({ commit, ...rest, answers }, null, 2)}\n`);
process.stderr.write(`schema version ${version}: ${place}\n`);
