/**
 * Loaded before the program: at each SIGUSR2 it collects garbage as the service does when it is idle, and records what the
 * process holds then.
 */
import { appendFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const file = process.env["X_SOAK_WATCH"];
const isProgram = /cli[/\\]dist[/\\]main\.js$/.test(process.argv[1] ?? "");
if (isMainThread && isProgram && file !== undefined) {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const collect = () => gc({ type: "major", execution: "sync", flavor: "last-resort" });
  process.on("SIGUSR2", () => {
    const before = process.memoryUsage.rss();
    collect();
    // What finalizers have let go goes with the second one, after they had their turn.
    setImmediate(() => {
      collect();
      const { rss, heapUsed, external } = process.memoryUsage();
      const resources = {};
      for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
      appendFileSync(file, `${JSON.stringify({ before, rss, heap: heapUsed + external, resources })}\n`);
    });
  });
}
