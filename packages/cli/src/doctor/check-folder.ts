import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { sizeText } from "../data/size-text.ts";
import { createCheck, type Finding } from "./finding.ts";

/** File systems of other machines, by the numbers of Linux. Locks and the shared memory of SQLite do not work on them. */
const networkSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
  [0x01021997, "9P"],
]);

const folderCheck = createCheck("data folder");
const diskCheck = createCheck("disk");

/** The folder itself, or the nearest one above it that exists. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

function mayUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

const everything = constants.R_OK | constants.W_OK | constants.X_OK;

/** The owner of the files, to be compared with the user whom a service runs as. */
const userName = (): string => (process.getuid ? `user ${process.getuid()}` : "this user");

/** Whether a service may use the folder, and whether other users may read it. */
export function checkFolder(data: string): Finding {
  const folder = resolve(data);
  if (!existsSync(folder)) {
    const above = nearestFolder(folder);
    if (mayUse(above, everything)) return folderCheck.ok(`${data} does not exist; the first start creates it`);
    const advice = `create it for the user of the service: install -d -m 700 -o USER ${data}`;
    return folderCheck.problem(`${data} does not exist, and ${userName()} may not create it in ${above}`, advice);
  }
  if (!statSync(folder).isDirectory()) {
    return folderCheck.problem(`${data} is no folder`, "choose another folder with --data");
  }
  const names = [folder, ...["x.db", "x.lock", "x.key"].map((name) => join(folder, name)).filter(existsSync)];
  const forbidden = names.find((path) => !mayUse(path, path === folder ? everything : constants.R_OK | constants.W_OK));
  if (forbidden !== undefined) {
    const advice = `run x as the owner (user ${statSync(forbidden).uid}), or change it: chown -R USER ${data}`;
    return folderCheck.problem(`${userName()} may not read and write ${forbidden}`, advice);
  }
  const system = networkSystems.get(statfsSync(folder).type);
  if (system !== undefined) {
    const advice = "move it to a local disk (x backup, x restore), or keep the data in PostgreSQL (--store)";
    return folderCheck.problem(`${data} is on ${system}, where SQLite loses data`, advice);
  }
  const open = names.find((path) => (statSync(path).mode & 0o077) !== 0 && (path !== folder || names.length > 1));
  if (process.platform !== "win32" && open !== undefined) {
    const advice = `chmod ${open === folder ? "700" : "600"} ${open}`;
    return folderCheck.warning(`other users may read ${open}`, advice);
  }
  return folderCheck.ok(data);
}

const minBytes = 100 * 1024 * 1024;
const enoughBytes = 1024 * 1024 * 1024;

/** Whether there is space for what is stored next, and for a second copy of the data, which an upgrade may need. */
export function checkDisk(data: string): Finding {
  const folder = resolve(data);
  const { bavail, bsize } = statfsSync(nearestFolder(folder));
  const free = bavail * bsize;
  const file = join(folder, "x.db");
  const used = existsSync(file) ? statSync(file).size : 0;
  return judgeDisk(free, used);
}

/** What so many free bytes mean beside so many bytes of data. */
export function judgeDisk(free: number, used: number): Finding {
  const found = `${sizeText(free)} free, ${sizeText(used)} of data`;
  if (free < minBytes) {
    return diskCheck.problem(found, "free some space: a service acknowledges nothing that it cannot store");
  }
  if (free < Math.max(enoughBytes, used)) {
    return diskCheck.warning(
      found,
      "free some space: an upgrade or a new secret key may need a second copy of the data",
    );
  }
  return diskCheck.ok(found);
}
