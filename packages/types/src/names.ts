import type { Mistake } from "./mistake.ts";
import type { PropFields } from "./prop-fields.ts";

/** Accepts any value in a misnamed field, and types the arguments of its functions. */
interface Within {
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of a misnamed field is unknown
  readonly [name: string]: PropFields<any> | object | string | number | boolean | null | undefined;
}

type Misnamed<C, Misses> = [C & keyof Misses] extends [never]
  ? unknown
  : {
      readonly [N in C & keyof Misses]: Mistake<`the field is called ${Misses[N] & string}, not ${N & string}`> &
        Within;
    };

type Lacking<N extends string> = [N] extends [never] ? unknown : { readonly [X in N]: unknown };

/**
 * `C` are the names of the author's fields: inferred from the branch that is never taken, and compared with nothing.
 * `Needed` are the required fields; a misspelt one does not stop inference of the others. `Misses` maps common misspellings
 * to fields.
 */
export type Names<C extends string, Needed extends string, Misses> = [C] extends [string]
  ? Lacking<Exclude<Needed, C>> & Misnamed<C, Misses>
  : { readonly [N in C]?: unknown };

/** `this`, or `any` while a field is misnamed, so that one mistake is one error. */
// oxlint-disable-next-line typescript/no-explicit-any -- said above
export type UnlessMisnamed<C, Misses, I> = [C & keyof Misses] extends [never] ? I : any;
