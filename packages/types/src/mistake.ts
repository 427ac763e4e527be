/** A sentence where a type would be: the compiler prints it. An object, so that no intersection with it becomes `never`. */
export interface Mistake<Text extends string> {
  readonly mistake: Text;
  /** Without it, an object in its place would be told about its own fields. */
  readonly [field: string]: unknown;
}
