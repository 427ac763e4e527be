import type { Kit } from "../kit.ts";
import { createAtomics } from "./atomics.ts";
import { readCallSites } from "./call-sites.ts";
import { createMessaging } from "./messaging.ts";
import { createPerformance } from "./performance.ts";
import { createWebSocket } from "./web-socket.ts";

interface Rare {
  readonly classes: Record<string, unknown>;
  readonly performance: Record<string, unknown>;
  readonly Atomics: object;
  readCallSites(stack: string): object[];
}

/** What few components touch, and what is too small for a part of its own. */
export default (kit: Kit): Rare => {
  const { classes, methods } = createPerformance(kit);
  return {
    classes: { ...createMessaging(kit), ...createWebSocket(kit), ...classes },
    performance: methods,
    Atomics: createAtomics(),
    readCallSites,
  };
};
