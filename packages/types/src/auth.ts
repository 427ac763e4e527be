/**
 * The keys of `$auth`, by the slug of the app. Empty here; augment it:
 * `declare module "@x/types" { interface AppAuth { acme: { api_key: string } } }`.
 */
export interface AppAuth {}

/** Credentials of an app without an entry in `AppAuth`. */
export interface Auth {
  readonly [key: string]: string;
}

/** The credentials of the app with this slug. */
export type AuthOf<Slug> = Slug extends keyof AppAuth ? Readonly<AppAuth[Slug]> : Auth;
