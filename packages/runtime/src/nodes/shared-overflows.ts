import type { Logger } from "@x/model";
import type { Overflow } from "../subscriptions/fan-out.ts";
import type { Router } from "./router.ts";

type Overflowed = (overflows: readonly Overflow[]) => void;

/** Records on a source that its inbox was full, on the node that runs the source. */
export function shareOverflows(own: Overflowed, router: Router, logger: Logger): Overflowed {
  const method = "overflowed";
  router.answer(method, async ({ args: [overflow] }) => own([overflow as Overflow]));
  return (overflows) => {
    for (const overflow of overflows) {
      const { sourceId: to } = overflow;
      router
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
