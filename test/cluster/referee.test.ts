import { expect, test } from "vitest";

import { startReferee } from "./referee.ts";

test.each([0, 1])("a request of node %i that arrives after its process has ended begins no run", async (node) => {
  await using referee = await startReferee(2);
  const begin = (): Promise<Response> => fetch(`${referee.upstream(node)}/begin?source=a`);
  await begin();
  referee.ended(node);
  await expect(begin()).rejects.toThrow("fetch failed");
  referee.started(node);
  await begin();
  expect(referee.runs.length).toBe(2);
  expect(referee.overlaps).toEqual([]);
});
