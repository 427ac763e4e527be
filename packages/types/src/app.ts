import type { AuthOf } from "./auth.ts";
import type { Unknown } from "./component.ts";
import type { AppWords, MethodsThis } from "./instance.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Names, UnlessMisnamed } from "./names.ts";
import type { None } from "./none.ts";
import type { Props, Written } from "./props.ts";

/** An app as an author writes it: what the components of one API share. What it needs stands apart, as in `ComponentInput`. */
export interface AppInput<N, S, F, V, K extends string, M, C = never> {
  type?: "app";
  /** Slug of the app whose account `$auth` comes from. */
  app?: N;
  /** What it inherits from another app, it may leave to the component to give inputs to. */
  propDefinitions?: Props<S, F, V, K, UnlessMisnamed<C, Misses, { readonly $auth: AuthOf<N> }>, never, unknown>;
  methods?: M & { readonly [X in K]?: unknown };
}

/** What no app can do without. */
interface AppNeeds {
  type: "app";
  app: string;
}

/** Names that are written for those of fields. */
interface Misses {
  readonly method: "methods";
  readonly propDefinition: "propDefinitions";
  readonly props: "propDefinitions";
}

/** An app as components see it. */
export interface App<N, S, M> {
  readonly type: "app";
  readonly app: N;
  readonly propDefinitions: S;
  readonly methods: M;
}

/** Gives types to an app written as a plain object; at run time it is the object itself. */
export function defineApp<
  const N extends string,
  C extends string = never,
  const F = None,
  S = None,
  const V = PropFields<PropValues<F>>,
  K extends string = never,
  M extends object = Unknown<K>,
>(
  app: AppInput<N, S, F, V, K, M, C> &
    AppNeeds &
    Names<C, never, Misses> &
    ThisType<
      UnlessMisnamed<C, Misses, MethodsThis<AppWords, M, App<N, Written<S, F>, M> & { readonly $auth: AuthOf<N> }>>
    >,
): App<N, Written<S, F>, M> {
  return app as unknown as App<N, Written<S, F>, M>;
}
