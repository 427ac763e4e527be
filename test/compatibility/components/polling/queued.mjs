import pLimit from "p-limit";
import PQueue from "p-queue";
import pRetry, { AbortError } from "p-retry";

const get = async (path) => {
  const response = await fetch(`https://queue.example.com/${path}`);
  if (response.status === 404) throw new AbortError(`no ${path}`);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
};

export default {
  name: "Queued",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const limit = pLimit(1);
    this.$emit(await Promise.all(["a", "b", "c"].map((path) => limit(get, path))));
    const queue = new PQueue({ concurrency: 1 });
    const order = [];
    void queue.add(async () => order.push(await get("first")));
    void queue.add(async () => order.push(await get("urgent")), { priority: 2 });
    void queue.add(async () => order.push(await get("last")));
    await queue.onIdle();
    this.$emit(order);
    const attempts = [];
    const settings = {
      retries: 2,
      minTimeout: 1,
      factor: 1,
      onFailedAttempt: (context) => attempts.push(context.attemptNumber),
    };
    this.$emit({ got: await pRetry(() => get("flaky"), settings), attempts });
    this.$emit(await pRetry(() => get("gone"), settings).catch(({ name, message }) => ({ name, message })));
  },
};
