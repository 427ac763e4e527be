import type { NewUser } from "../api/api.ts";
import type { UserRuntime } from "../api/user-api.ts";
import type { User } from "../model/model.ts";
import type { Change } from "../store/contract.ts";
import { sharedMethods } from "../nodes/shared-user-runtime.ts";
import type { Users } from "../users/users.ts";
import type { Node } from "./assemble-node.ts";

/** The slot of this id decides which node changes users, so that their names stay unique. */
const usersSlot = "u_";

/** The changes of users, on the node that makes them for all. */
export type SharedUsers = Pick<Users, "add" | "rotateKey" | "settle">;

export function shareUsers(users: Users, { router }: Node): SharedUsers {
  const to = usersSlot;
  router.answer("users.add", ({ args: [input] }) => users.add(input as NewUser));
  router.answer("users.rotateKey", ({ args: [idOrName] }) => users.rotateKey(idOrName as string));
  router.answer("users.settle", ({ args: [apiKey] }) => users.settle(apiKey as string | undefined));
  return {
    add: (input) => router.call<User>({ to, method: "users.add", args: [input] }, () => users.add(input)),
    rotateKey: (idOrName) =>
      router.call<User>({ to, method: "users.rotateKey", args: [idOrName] }, () => users.rotateKey(idOrName)),
    async settle(apiKey) {
      await router.call({ to, method: "users.settle", args: [apiKey] }, () => users.settle(apiKey));
      await users.reload();
    },
  };
}

/** The methods of a user on this node; `also` is committed together with the triggers of runs. */
export type UserHere = (userId: string, also: readonly Change[]) => UserRuntime;

/** Lets this node answer the calls of users that arrive at other nodes. */
export function answerUsers({ router }: Node, userHere: UserHere): void {
  for (const method of sharedMethods)
    router.answer(method, async ({ args, userId, messageId }) => {
      const own = userHere(userId ?? "", [{ op: "message.done", id: messageId }]) as unknown as {
        readonly [name: string]: (...given: readonly unknown[]) => Promise<unknown>;
      };
      return own[method]?.(...args);
    });
}
