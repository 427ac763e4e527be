import type { Change, Store } from "@x/store";
import type { Router } from "./router.ts";

type LaneDb = Pick<Store, "db" | "commit">;
type Write = Extract<Change, { op: "db.set" }>;

/** The dbs of sources, on whichever node they run. */
export function createSharedDb(own: LaneDb, router: Router): LaneDb {
  router.answer("db.read", ({ args: [sourceId] }) => own.db(sourceId as string));
  router.answer("db.write", ({ args: [writes] }) => own.commit(writes as Write[]));
  return {
    db: (sourceId) => router.call({ to: sourceId, method: "db.read", args: [sourceId] }, () => own.db(sourceId)),
    async commit(changes) {
      const writes = changes.filter((change) => change.op === "db.set");
      for (const [to, part] of Map.groupBy(writes, (change) => change.sourceId))
        await router.call({ to, method: "db.write", args: [part] }, () => own.commit(part));
    },
  };
}
