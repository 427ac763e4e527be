import type { EmitFor } from "./emit.ts";
import type { PropValues } from "./prop-values.ts";

/** `this` in `run`, hooks and methods. */
export type Instance<S, M, D, E> = PropValues<S> & M & { readonly $emit: EmitFor<D, E> };

/**
 * `Instance` with a first parameter for compiler messages. It is so long that the compiler cuts off the methods behind it:
 * printing them needs their return types, and a compiler that is still inferring those would report each method too.
 */
export type ComponentThis<_Words, S, M, D, E, C> = PropValues<S> & M & { readonly $emit: EmitFor<D, E> } & Added<C>;

/** `additionalProps` may add any name. */
// oxlint-disable-next-line typescript/no-explicit-any -- nothing is known of them
type Added<C> = "additionalProps" extends C ? { readonly [name: string]: any } : unknown;

/** The message for an unknown name on `this` of a component. */
export type ComponentWords =
  "`this` has the props and the methods of the component, and $emit. A name that is not there is misspelt, or its prop or method is missing here and in everything that is spread into it";

/** `this` in methods of an app or an action, with a message as in `ComponentThis`. */
export type MethodsThis<_Words, M, Rest> = Rest & M;

/** The message for an unknown name on `this` of an app. */
export type AppWords =
  "`this` has the methods of the app, its own fields, and $auth with the credentials. Props are those of components: a method that needs the value of one is called with it, as in getItems(team)";

/** The message for an unknown name on `this` of an action. */
export type ActionWords =
  "`this` has the props and the methods of the action. A name that is not there is misspelt, or its prop or method is missing; what the run can do beside that is in $, as in run({ steps, $ })";
