import { createEngine } from "./engine.ts";
import type { Engine } from "./options.ts";

let engine: Promise<Engine> | undefined;

/** One engine for all tests of a process, because threads take longer to start than most tests run. It ends with the process. */
export const testEngine = (): Promise<Engine> => (engine ??= createEngine({ workers: 1 }));
