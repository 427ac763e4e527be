import { writeSync } from "node:fs";

import { XError } from "@x/runtime";

import { addEvent, exampleEvent, setValue } from "../../../store/src/conformance/examples.cases.ts";
import { openNode } from "./node.cases.ts";

/** A node in a process of its own: joins, waits for slots, and commits events of some sources of it until it is stopped. */
const [url = "", schema = "", leaseMs = ""] = process.argv.slice(2);

/** At once, so that a line says what is durable even when the next instant is the last. */
const say = (line: string): void => void writeSync(1, `${line}\n`);
const problemOf = (error: unknown): string => (XError.is(error) ? error.code : String(error));

const node = await openNode({ url, schema }, { timing: { leaseMs: Number(leaseMs) } });
void node.store.failed.then((error) => say(`failed ${error.code}`));
say(`open ${node.cluster.nodeId}`);

/** Commits numbered events of one source, and says each that is acknowledged. */
async function commitForEver(sourceId: string): Promise<void> {
  for (let n = 1; ; n += 1) {
    await node.store.commit([
      setValue(sourceId, "count", String(n)),
      addEvent(exampleEvent(n, 0, { emitterId: sourceId })),
    ]);
    say(`done ${sourceId} ${n}`);
  }
}

for (;;) {
  const owned = Array.from({ length: 40 }, (_, n) => `dc_${n}`).filter((id) => node.cluster.owns(id));
  if (owned.length >= 8) {
    // All end with the first refused commit.
    await Promise.all(owned.slice(0, 8).map(commitForEver)).catch((error: unknown) =>
      say(`refused ${problemOf(error)}`),
    );
    break;
  }
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
