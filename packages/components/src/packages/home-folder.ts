import { lstatSync, mkdirSync, mkdtempSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for temporary files that belongs to this user alone: everybody can write to the system's one. */
function ownTemporaryFolder(): string {
  const uid = process.getuid?.();
  const folder = join(tmpdir(), `x-home-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid ? folder : mkdtempSync(`${folder}-`);
}

/** The user's home folder. Containers run as users that the system does not know, without HOME: they get a temporary one. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return ownTemporaryFolder();
  }
}
