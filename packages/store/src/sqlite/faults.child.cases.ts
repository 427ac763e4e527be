import { writeSync } from "node:fs";

import { XError } from "../../../model/src/errors.ts";
import type { Store } from "../contract.ts";
import { addEvent, exampleEvent, setValue } from "../conformance/examples.cases.ts";
import { openSqliteStore } from "./sqlite.ts";

/** A process of its own for fault tests: opens the folder, says so, and commits until it is killed. */
const [mode, folder = ""] = process.argv.slice(2);

/** At once, so that a line says what is durable even when the next instant is the last. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

async function commitForEver(store: Store, emitterId: string): Promise<void> {
  const { heads } = await store.sourceState(emitterId);
  for (let n = (heads.emits?.ms ?? 0) + 1; ; n += 1) {
    await store.commit([
      setValue(emitterId, "count", String(n)),
      { op: "data_store.set", userId: "u_1", name: "shared", key: emitterId, value: String(n), at: n },
      addEvent(exampleEvent(n, 0, { emitterId })),
      addEvent(exampleEvent(n, 1, { emitterId })),
      { op: "dedupe.set", sourceId: emitterId, channel: "", state: { strategy: "last", ids: [String(n)] } },
    ]);
    say(`${emitterId} ${n}`);
  }
}

try {
  const store = await openSqliteStore({ folder });
  say("open");
  if (mode === "commit") {
    await Promise.all(["dc_1", "dc_2", "dc_3", "dc_4"].map((emitterId) => commitForEver(store, emitterId)));
  } else {
    // Stays until it is killed.
    process.stdin.resume();
  }
} catch (error) {
  say(XError.is(error) ? error.code : String(error));
}
