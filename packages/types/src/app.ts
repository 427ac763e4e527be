import type { Methods, None } from "./component.ts";
import type { Inferred, OptionsThis, PropFields, PropsProblems, Sites } from "./props.ts";
import type { Auth } from "./services.ts";

/** An app as an author writes it: what the components of one API share. */
export interface AppInput<S, F, M> {
  type: "app";
  /** Slug of the app whose account `$auth` comes from. */
  app: string;
  propDefinitions?: Sites<S, F> & { readonly [name: string]: PropFields } & PropsProblems<NoInfer<Inferred<S, F>>> &
    OptionsThis;
  methods?: M;
}

/** An app as components see it. */
export interface App<D, M> {
  readonly type: "app";
  readonly app: string;
  readonly propDefinitions: D;
  readonly methods: M;
}

/** Gives types to an app written as a plain object; at run time it is the object itself. */
export function defineApp<const S = None, const F = None, M extends Methods = None>(
  app: AppInput<S, F, M> & ThisType<M & { readonly $auth: Auth }>,
): App<Inferred<S, F>, M> {
  return app as unknown as App<Inferred<S, F>, M>;
}
