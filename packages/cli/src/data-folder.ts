import { existsSync } from "node:fs";
import { join } from "node:path";

/** Has a service or a command kept anything in the folder yet? */
export const hasData = (folder: string): boolean => existsSync(join(folder, "x.db"));
