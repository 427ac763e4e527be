import type { AnyFunction } from "./any-function.ts";
import type { Mistake } from "./mistake.ts";

/** What a component does when its source is made, activated, deactivated. */
export interface Hooks {
  /** Once, when a source is made. */
  deploy?: AnyFunction;
  /** When a source becomes active. */
  activate?: AnyFunction;
  /** Before a source changes, rests or goes. */
  deactivate?: AnyFunction;
}

/** A sentence at every hook that does not exist. */
export type HookMistakes<H> = {
  readonly [
    N in Exclude<keyof H, keyof Hooks>
  ]?: Mistake<`no hook is called ${N & string}: there are deploy, activate and deactivate`>;
};
