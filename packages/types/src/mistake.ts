/** A message in place of a type: the compiler prints it. An object type, so that intersections with it do not become `never`. */
export interface Mistake<Text extends string> {
  readonly mistake: Text;
  /** Without it, the compiler would also report the excess fields of an object. */
  readonly [field: string]: unknown;
}
