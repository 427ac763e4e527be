import { boundedCache } from "@x/model";
import type { Answer } from "../http/endpoint.ts";
import type { AnswerApp } from "./answer-app.ts";

const mostKnown = 1_000;

/** Answers requests to endpoints of sources and of apps, whose keys are of one kind. */
export function withAppEndpoints(answerSource: Answer, answerApp: AnswerApp): Answer {
  /** Keys that were an app's: they are not looked for among sources first. */
  const known = boundedCache<true>(mostKnown);
  const asApp = async (...[key, request]: Parameters<AnswerApp>): ReturnType<AnswerApp> => {
    const answer = await answerApp(key, request);
    if (answer) known.set(key, true);
    else known.delete(key);
    return answer;
  };
  return async (key, request, inside) => {
    const first = known.get(key) ? await asApp(key, request) : undefined;
    if (first) return first;
    const answer = await answerSource(key, request, inside);
    return answer.status === 404 ? ((await asApp(key, request)) ?? answer) : answer;
  };
}
