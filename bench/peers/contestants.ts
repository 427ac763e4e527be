import type { Contestant } from "./contestant.ts";
import { quickJsContestants } from "./quickjs-contestants.ts";
import { v8Contestants } from "./v8-contestants.ts";
import { workerd } from "./workerd-contestant.ts";
import { xContestants } from "./x-contestants.ts";

/** Everything that is compared; each has at most so many tenants. */
export const contestants = (tenants: number): readonly Contestant[] => [
  ...xContestants,
  ...v8Contestants,
  ...quickJsContestants,
  workerd(tenants),
];
