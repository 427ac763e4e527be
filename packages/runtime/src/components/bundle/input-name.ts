import { basename } from "node:path";

import type { LocalCode } from "../contract.ts";

/** What messages call code that has not said its name yet. */
export const inputName = (input: LocalCode): string => ("code" in input ? "component.js" : basename(input.file));
