import { expect, it } from "vitest";

import { createDynamicPropsCache } from "../sources/dynamic-props-cache.ts";
import type { Answering, Router } from "./router.ts";
import { shareDynamicProps } from "./shared-dynamic-props.ts";

const props = [{ name: "p", type: "string" }];

it("finds the props of another node by an id that belongs to it", async () => {
  const answers: Answering[] = [];
  const answer: Router["answer"] = (_, answering) => void answers.push(answering);
  const call = (async (question, here) =>
    question.to === "dyp_one"
      ? answers[0]?.({ args: question.args, userId: undefined, messageId: "" })
      : here()) as Router["call"];
  const one = shareDynamicProps(
    createDynamicPropsCache(() => "dyp_one"),
    { answer, call },
  );
  const id = one.add("u_1", "sc_1", props);
  const two = shareDynamicProps(createDynamicPropsCache(), { answer, call });
  expect([id, await two.find(id, "u_1", "sc_1")]).toEqual(["dyp_one", props]);
  await expect(two.find(id, "u_2", "sc_1")).rejects.toThrow("No dynamic props");
});
