import fs from "node:fs";
import os from "node:os";

export default { ...os.constants.errno, ...os.constants.signals, ...fs.constants };
