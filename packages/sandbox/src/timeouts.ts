import { errorText, type GuestError, withMessage } from "@x/model";

/** The error of an entry that was stopped at its deadline; `after` is added to the message. */
export const entryTimedOut = (entry: string, timeoutMs: number, after = ""): GuestError =>
  withMessage("sandbox_timeout", errorText("sandbox_timeout", entry, String(timeoutMs)) + after);

/** The error of a function of the embedder, which nothing can stop. */
export const handlerTimedOut = (timeoutMs: number): GuestError =>
  withMessage("sandbox_timeout", `run ran longer than ${timeoutMs} ms and was given up.`);

/** The error of a module whose evaluation was stopped at its deadline. */
export const moduleTimedOut = (timeoutMs: number): GuestError => ({
  code: "sandbox_timeout",
  name: "Error",
  message: `Evaluating the module took longer than ${timeoutMs} ms`,
  stack: "",
});
