import type { Logger } from "../api/logger.ts";
import type { Overflow } from "../subscriptions/fan-out.ts";
import type { Node } from "./assemble-node.ts";

type Overflowed = (overflows: readonly Overflow[]) => void;

/** Records on a source that its inbox was full, on the node that runs the source. */
export function shareOverflows(own: Overflowed, node: Node | undefined, logger: Logger): Overflowed {
  if (!node) return own;
  const method = "overflowed";
  node.router.answer(method, async ({ args: [overflow] }) => own([overflow as Overflow]));
  return (overflows) => {
    for (const overflow of overflows) {
      const { sourceId: to } = overflow;
      node.router
        .call({ to, method, args: [overflow] }, async () => own([overflow]))
        .catch((error: unknown) =>
          logger.error("a record of events that were not delivered could not be stored", {
            source: to,
            error: String(error),
          }),
        );
    }
  };
}
