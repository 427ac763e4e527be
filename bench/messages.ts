/** `npm run bench:messages`: what posting a large event to a thread takes, as a text and as bytes that move to it. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { machine, median } from "./machine.ts";

/** Answers each message; releases bytes as a sandbox thread does. */
const thread = `const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ event }) => { event?.buffer.transfer(0); parentPort.postMessage(0); });`;
const rounds = 7;
const kilobytes = [16, 64, 120, 256, 1_024, 5_900];

const encoder = new TextEncoder();
const head = JSON.stringify({ entry: "run", db: { n: "1" } });
const worker = new Worker(thread, { eval: true });

const forms = {
  text: (event: string) => worker.postMessage({ text: `${head.slice(0, -1)},"event":${event}}` }),
  bytes(event: string) {
    const bytes = encoder.encode(event);
    worker.postMessage({ text: head, event: bytes }, [bytes.buffer]);
  },
};

/** Microseconds of processor time of the sending thread. */
async function measure(post: (event: string) => void, event: string, count: number): Promise<number> {
  const before = process.threadCpuUsage();
  for (let sent = 0; sent < count; sent += 1) {
    const answered = once(worker, "message");
    post(event);
    await answered;
  }
  const after = process.threadCpuUsage();
  return (after.user + after.system - before.user - before.system) / count;
}

console.log(`${machine()}; medians of ${rounds} rounds, by turns; processor time of the sending thread.\n`);
console.log("| Event | As a text | As bytes | Times |\n| --- | --- | --- | --- |");
for (const size of kilobytes) {
  const event = JSON.stringify("x".repeat(size * 1_024));
  const count = Math.max(10, Math.round(4_000 / size));
  const times: { text: number[]; bytes: number[] } = { text: [], bytes: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const form of ["text", "bytes"] as const) times[form].push(await measure(forms[form], event, count));
  const [text, bytes] = [median(times.text), median(times.bytes)];
  console.log(`| ${size} KB | ${text.toFixed(0)} us | ${bytes.toFixed(0)} us | ${(text / bytes).toFixed(1)} |`);
}
await worker.terminate();
