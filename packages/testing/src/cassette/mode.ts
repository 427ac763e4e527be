import { HarnessError } from "../harness-error.ts";

/** `auto` replays a recording that exists and else makes one, but not where nobody would commit it. */
export type CassetteMode = "auto" | "record" | "replay";

/** The option, unless the environment says otherwise: X_CASSETTE=record makes every recording anew. */
export function chosenMode(given: CassetteMode = "auto", environment: NodeJS.ProcessEnv = process.env): CassetteMode {
  const wanted = environment["X_CASSETTE"];
  if (wanted === undefined || wanted === "") return given === "auto" && isAutomated(environment) ? "replay" : given;
  if (wanted === "record" || wanted === "replay" || wanted === "auto") return wanted;
  throw new HarnessError(`X_CASSETTE must be record, replay or auto, got "${wanted}".`);
}

const isAutomated = ({ CI }: NodeJS.ProcessEnv): boolean => CI !== undefined && CI !== "" && CI !== "false";
