import { expect, test } from "vitest";

import { runClusterCampaign } from "./campaign.ts";
import { missingBinaries } from "./private-postgres.ts";

test.skipIf(missingBinaries() !== undefined)(
  "three services on one PostgreSQL lose, repeat and reorder nothing when each kind of fault happens once",
  async () => {
    const found = await runClusterCampaign({
      nodes: 3,
      sources: 12,
      paceMs: 300,
      rounds: { kill: 1, stop: 1, restart: 1, terminate: 1, cut: 1, roll: 1 },
      frozenMs: 6_500,
      seed: 20_261_123,
    });
    expect(found.problems).toEqual([]);
    expect(found.rounds).toEqual({ kill: 1, stop: 1, restart: 1, terminate: 1, cut: 1, roll: 1 });
    expect(found.events).toBeGreaterThanOrEqual(found.acknowledged);
    expect(found.acknowledged).toBeGreaterThan(0);
    expect(found.deliveries).toBeGreaterThan(0);
    expect(found.resumedStreams).toBeGreaterThan(0);
  },
);
