import type { DynamicPropsCache } from "../sources/dynamic-props-cache.ts";
import { type DynamicPropsEntry, entryProps } from "../sources/dynamic-props-entry.ts";
import type { Router } from "./router.ts";

/** Finds dynamic props on the node that computed them: their id belongs to it. */
export function shareDynamicProps(own: DynamicPropsCache, router: Pick<Router, "answer" | "call">): DynamicPropsCache {
  const method = "dynamicProps.find";
  router.answer(method, async ({ args: [id, userId] }) => own.entry(id as string, userId as string));
  return {
    ...own,
    async find(id, userId, componentId) {
      const question = { to: id, method, args: [id, userId] };
      const none = async (): Promise<DynamicPropsEntry | undefined> => undefined;
      return entryProps(id, own.entry(id, userId) ?? (await router.call(question, none)), componentId);
    },
  };
}
