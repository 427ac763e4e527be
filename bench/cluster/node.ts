/** One process of a measurement: opens an engine and follows the orders of its parent. */
import type { Engine, NodePlan, NodeReport, Order } from "./engine.ts";
import { openGraphileEngine } from "./graphile-engine.ts";
import { openPgBossEngine } from "./pg-boss-engine.ts";
import { openXEngine } from "./x-engine.ts";

function open(plan: NodePlan): Promise<Engine> {
  if (plan.engine === "pg-boss") return openPgBossEngine(plan);
  return plan.engine === "graphile-worker" ? openGraphileEngine(plan) : openXEngine(plan);
}

let engine: Engine | undefined;

async function follow(order: Order): Promise<NodeReport | undefined> {
  if (typeof order !== "string" && "open" in order) engine = await open(order.open);
  else if (order === "enqueue") await engine?.enqueue();
  else if (order === "join") await engine?.join();
  else if (order === "close") await engine?.close();
  else {
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    const handled = (await engine?.run(began + order.runMs)) ?? 0;
    const used = process.cpuUsage(cpu);
    return { handled, ms: performance.now() - began, cpuMicroseconds: used.user + used.system };
  }
  return undefined;
}

process.on("message", (order: Order) => {
  follow(order).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});
