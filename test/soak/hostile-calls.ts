import { deploy, type Deployed } from "../flood/client.ts";
import type { Account } from "../flood/contract.ts";

const endpoint = (name: string, body: string): string =>
  `export default { name: "${name}", version: "1", props: { http: "$.interface.http" }, async run(event) { ${body} } };`;

/** Components whose calls end badly, one way each. */
const programs: readonly string[] = [
  endpoint("Loop", "for (;;);"),
  endpoint("Async loop", "for (;;) await null;"),
  endpoint("Memory bomb", "const all = []; for (;;) all.push(new Array(100_000).fill(1));"),
  endpoint("Buffers", "const all = []; for (;;) all.push(new ArrayBuffer(1 << 20));"),
  endpoint("Huge emits", `const text = "x".repeat(5_900_000); for (let n = 0; n < 20; n++) this.$emit({ n, text });`),
  endpoint("Many emits", "for (let n = 0; ; n++) this.$emit({ n });"),
  endpoint(
    "Unawaited work",
    `setInterval(() => this.$emit({ late: true }), 5);
     for (let n = 0; n < 50; n++) fetch("http://127.0.0.1:9/" + n).catch(() => {});
     new Promise(() => {});`,
  ),
  endpoint("Recursion", "const deeper = () => deeper() + 1; deeper();"),
  endpoint("Rejection", `Promise.reject(new Error("nobody waits")); throw new Error("thrown");`),
];

/** Sources that are called in turn. */
export interface HostileCalls {
  readonly sent: number;
  /** By status of the answer. */
  readonly answers: ReadonlyMap<number, number>;
  call(): Promise<void>;
}

export async function deployHostile(account: Account): Promise<HostileCalls> {
  const sources: Deployed[] = [];
  for (const code of programs) sources.push(await deploy(account, code));
  const answers = new Map<number, number>();
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    answers,
    async call() {
      const { endpoint: url = "" } = sources[sent % sources.length] ?? {};
      sent += 1;
      const answer = await fetch(url, { method: "POST", body: "{}" });
      await answer.text();
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    },
  };
}
