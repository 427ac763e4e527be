/**
 * Loaded before the program: records, four times a second, the CPU time of the main thread between two turns of its event
 * loop. Other processes on the machine do not count.
 */
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env["X_FLOOD_WATCH"];
const isProgram = /cli[/\\]dist[/\\]main\.js$/.test(process.argv[1] ?? "");
if (isMainThread && isProgram && file !== undefined) {
  let holds = [];
  let before = process.threadCpuUsage();
  const look = () => {
    const now = process.threadCpuUsage();
    holds.push(Math.round((now.user + now.system - before.user - before.system) / 10) / 100);
    before = now;
  };
  setInterval(look, 10).unref();
  setInterval(() => {
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), holds })}\n`);
    holds = [];
  }, 250).unref();
}
