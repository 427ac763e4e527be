import type { Execution, PropShape } from "@x/model";
import type { GuestResponse } from "@x/sandbox";
import { defaultAnswer, finalResponse } from "./answer.ts";

/** The status when `run` ended without a response: a 5xx, so that senders try again. */
export const afterRun = ({ status }: Pick<Execution, "status">): 500 | 504 => (status === "timeout" ? 504 : 500);

/** The status that the client of a request got, or will get. */
export function sentStatus(
  prop: PropShape | undefined,
  method: string,
  response: GuestResponse | undefined,
  execution: Pick<Execution, "status">,
): number {
  if (prop?.customResponse !== true) return defaultAnswer().status;
  return response ? finalResponse(method, response).status : afterRun(execution);
}
