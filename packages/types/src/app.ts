import type { AuthOf } from "./auth.ts";
import type { Unknown } from "./component.ts";
import type { AppWords, MethodsThis } from "./instance.ts";
import type { PropFields } from "./prop-fields.ts";
import type { PropValues } from "./prop-values.ts";
import type { Names, UnlessMisnamed } from "./names.ts";
import type { None } from "./field.ts";
import type { Props, Written } from "./props.ts";

/** An app as an author writes it: the shared part of the components of one API. `AppNeeds` has its required fields. */
export interface AppInput<N, S, F, V, K extends string, M, C = never> {
  type?: "app";
  /** Slug of the app whose account `$auth` comes from. */
  app?: N;
  /** A definition that refers to another app may leave the inputs of that definition to the component. */
  propDefinitions?: Props<S, F, V, K, UnlessMisnamed<C, Misses, { readonly $auth: AuthOf<N> }>, never, unknown>;
  methods?: M & { readonly [X in K]?: unknown };
}

/** The required fields of an app. */
interface AppNeeds {
  type: "app";
  app: string;
}

/** Common misspellings of fields. */
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

/** Types an app. Returns the object that it gets. */
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
