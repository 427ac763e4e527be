/** What an attack targets; each class has its own runner. */
export type AttackClass =
  | "cpu"
  | "native built-ins"
  | "regular expressions"
  | "memory"
  | "stack"
  | "values at the wall"
  | "escapes"
  | "floods"
  | "leftovers"
  | "builds"
  | "imports"
  | "specifiers"
  | "packages"
  | "schedules"
  | "shapes"
  | "addresses"
  | "redirects"
  | "requests of components"
  | "upstreams"
  | "webhooks"
  | "requests"
  | "slow clients"
  | "pages"
  | "answers"
  | "connections"
  | "tenants"
  | "algorithmic complexity"
  | "secrets";

/** One hostile program, package, request, reader or upstream. */
export interface Attack {
  /** Unique. */
  readonly id: string;
  readonly class: AttackClass;
  /** The promise of SECURITY.md that it attacks. */
  readonly promise: string;
}
