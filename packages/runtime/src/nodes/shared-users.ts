import type { NewUser } from "../api/api.ts";
import type { User } from "@x/model";
import type { Users } from "../users/users.ts";
import type { Router } from "./router.ts";

/** The slot of this id decides which node changes users, so that their names stay unique. */
const usersSlot = "u_";

/** The changes of users, on the node that makes them for all. */
export type SharedUsers = Pick<Users, "add" | "rotateKey" | "settle">;

export function shareUsers(users: Users, router: Router): SharedUsers {
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
