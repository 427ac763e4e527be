import type { UserRuntime } from "../api/user-api.ts";
import type { Change } from "@x/store";
import type { Router } from "./router.ts";

/** The methods that only the owner of a slot can do, and whose first argument is the id that has the slot. */
const byFirstArgument = [
  "delete",
  "reactivate",
  "dbEntries",
  "nextTick",
  "activity",
  "resetDedupe",
  "invoke",
  "deleteWorkflow",
  "updateWebhook",
  "deleteWebhook",
  "rotateWebhookKey",
  "updateAccount",
  "deleteAccount",
] as const satisfies readonly (keyof UserRuntime)[];

/** The methods that have one order for each user. */
const byUser = [
  "subscribe",
  "unsubscribe",
  "autoSubscribe",
  "removeAutoSubscription",
  "putProject",
  "deleteProject",
] as const satisfies readonly (keyof UserRuntime)[];

/** The methods whose slot is found in other ways. */
const others = ["configure", "dynamicProps", "replay", "redeliver"] as const satisfies readonly (keyof UserRuntime)[];

/** Every method of a user that may run on another node. */
const sharedMethods: readonly (keyof UserRuntime)[] = [...byFirstArgument, ...byUser, ...others];

/** Methods that store a trigger, once for each question. */
export const storingMethods: ReadonlySet<string> = new Set(["invoke", "replay", "request"]);

type Method = (...args: readonly unknown[]) => Promise<unknown>;

export interface SharedUserParts {
  readonly router: Router;
  /** Throws `closed` after `close`. */
  open(): void;
  /** Throws `not_found` for an unknown user. */
  userId(): string;
}

/** The methods of one user, each on the node that runs its source. */
export function createSharedUserRuntime(own: UserRuntime, { router, open, userId }: SharedUserParts): UserRuntime {
  const methods = own as unknown as { readonly [method: string]: Method };
  const call = (to: unknown, method: string, args: readonly unknown[]): Promise<unknown> => {
    open();
    const here = async (): Promise<unknown> => methods[method]?.(...args);
    // An id that is none is refused here.
    return typeof to === "string" ? router.call({ to, method, args, userId: userId() }, here) : here();
  };
  const routed = (names: readonly string[], to: (args: readonly unknown[]) => unknown): { [name: string]: Method } =>
    Object.fromEntries(names.map((name) => [name, async (...args) => call(to(args), name, args)]));

  return {
    ...own,
    ...routed(byFirstArgument, ([id]) => id),
    ...routed(byUser, () => userId()),
    async configure(input) {
      const to = "sourceId" in input ? input.sourceId : undefined;
      return (await call(to, "configure", [input])) as Awaited<ReturnType<UserRuntime["configure"]>>;
    },
    async dynamicProps(input) {
      const to = "sourceId" in input ? input.sourceId : undefined;
      return (await call(to, "dynamicProps", [input])) as Awaited<ReturnType<UserRuntime["dynamicProps"]>>;
    },
    async replay(id, ...rest) {
      const { sourceId } = await own.execution(id);
      return (await call(sourceId, "replay", [id, ...rest])) as Awaited<ReturnType<UserRuntime["replay"]>>;
    },
    async redeliver(webhookId, deliveryId) {
      const { emitterId } = await own.delivery(webhookId, deliveryId);
      const answer = await call(emitterId, "redeliver", [webhookId, deliveryId]);
      return answer as Awaited<ReturnType<UserRuntime["redeliver"]>>;
    },
  };
}

/** The methods of a user on this node; `extraChanges` are committed together with the triggers of runs. */
export type UserHere = (userId: string, extraChanges: readonly Change[]) => UserRuntime;

/** Lets this node answer the calls of users that arrive at other nodes. */
export function answerUsers(router: Router, userHere: UserHere): void {
  for (const method of sharedMethods)
    router.answer(method, async ({ args, userId, messageId }) => {
      const own = userHere(userId ?? "", [{ op: "message.done", id: messageId }]) as unknown as {
        readonly [name: string]: Method;
      };
      return own[method]?.(...args);
    });
}
