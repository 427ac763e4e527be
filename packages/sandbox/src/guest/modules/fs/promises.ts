import fs from "node:fs";

// In Node, `constants` is shared by all modules of the file system.
export default Object.assign(fs.promises, { constants: fs.constants });
