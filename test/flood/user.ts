import { counted, deploy, repeat, send } from "./client.ts";
import type { Flood } from "./contract.ts";

const endpoint = (name: string, body: string, more = ""): string =>
  `export default { name: "${name}", version: "1", ${more} props: { http: "$.interface.http" }, async run(event) { ${body} } };`;
const listener = `export default { name: "Listener", version: "1", run(event) {} };`;
const listeners = 40;

/** A user whose sources and requests use as much as possible. */
export const user: Flood = {
  name: "user",
  about: "endless loops, 6 MB events to 40 sources, 100,000 emits, logs, channels, deploys that spin",
  async start(target) {
    const spinning = await Promise.all(
      Array.from({ length: 4 }, (_, index) => deploy(target, endpoint(`Spin ${index}`, "for (;;);"))),
    );
    const heavy = await deploy(
      target,
      endpoint("Heavy", `const text = "x".repeat(5_900_000); for (let n = 0; n < 3; n++) this.$emit({ n, text });`),
    );
    const many = await deploy(
      target,
      endpoint("Many", `for (let n = 0; n < ${counted(target, 100_000)}; n++) this.$emit({ n });`),
    );
    const channels = await deploy(
      target,
      endpoint(
        "Channels",
        `for (let n = 0; n < ${counted(target, 5_000)}; n++) this.$emit({ n }, { name: "c" + n, id: n });`,
        `dedupe: "unique",`,
      ),
    );
    const loud = await deploy(
      target,
      endpoint("Loud", `for (let n = 0; n < ${counted(target, 50_000)}; n++) console.log("x".repeat(200));`),
    );
    const wasteful = await deploy(
      target,
      endpoint("Wasteful", `const all = []; for (;;) all.push(new Array(100_000).fill(1));`),
    );
    for (let made = 0; made < counted(target, listeners); made += 1) {
      const { id } = await deploy(target, listener);
      for (const emitter of [heavy, many])
        await send(target, "POST", `/subscriptions?emitter_id=${emitter.id}&listener_id=${id}`);
    }
    const sources = [...spinning, heavy, many, channels, loud, wasteful];
    const stops = [
      repeat(sources.length, async (turn) => {
        const { endpoint: url = "" } = sources[turn % sources.length] ?? {};
        await (await fetch(url, { method: "POST", body: "{}" })).text();
      }),
      repeat(2, (turn) =>
        send(target, "POST", "/sources", { component_code: `for (;;); export default { name: "${turn}" };` }),
      ),
      repeat(2, async (turn) => {
        const { id } = await deploy(target, `export default { name: "N${turn}", version: "1", run() {} };`);
        await send(target, "DELETE", `/sources/${id}`);
      }),
    ];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  },
};
