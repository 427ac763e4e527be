import fs from "node:fs";

// With the constants that every module of the file system shares.
export default Object.assign(fs.promises, { constants: fs.constants });
