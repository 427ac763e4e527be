import type { Logger } from "@x/runtime";

import type { Answer } from "@x/http";

type AnswerRequest<Client> = (request: Request, client?: Client) => Promise<Answer>;

/** The path without query; the key of an endpoint is left out, because it is all that a caller needs. */
const shownPath = (url: string): string => new URL(url).pathname.replace(/(\/in\/)[^/]+/, "$1*");

/** Logs every answer, if the logger takes debug records. */
export function logAnswers<Client>(logger: Logger, answer: AnswerRequest<Client>): AnswerRequest<Client> {
  if (!logger.debug) return answer;
  return async (request, client) => {
    const startedAt = performance.now();
    const given = await answer(request, client);
    const { method, url } = request;
    const duration_ms = performance.now() - startedAt;
    logger.debug?.("a request was answered", { method, path: shownPath(url), status: given.status, duration_ms });
    return given;
  };
}
