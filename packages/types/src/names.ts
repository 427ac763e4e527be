import type { Mistake } from "./mistake.ts";
import type { PropFields } from "./prop-fields.ts";

/** What is misnamed is checked no further; its functions know what they are called with. */
interface Within {
  // oxlint-disable-next-line typescript/no-explicit-any -- nothing is known of what is misnamed
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
 * `C` are the names of the fields that were written: inferred from the branch that is never taken, compared with nothing.
 * `Needed` are those that must be there: where one is misspelt, the rest is known nevertheless. `Misses` are names
 * that are written for those of fields, each with that of the field.
 */
export type Names<C extends string, Needed extends string, Misses> = [C] extends [string]
  ? Lacking<Exclude<Needed, C>> & Misnamed<C, Misses>
  : { readonly [N in C]?: unknown };

/** `this`: while a field is misnamed nothing is known of it, so that one mistake is one error. */
// oxlint-disable-next-line typescript/no-explicit-any -- said above
export type UnlessMisnamed<C, Misses, I> = [C & keyof Misses] extends [never] ? I : any;
