export { runCommandLine } from "./command-line.ts";
export { exitCodes } from "./exit-code.ts";
