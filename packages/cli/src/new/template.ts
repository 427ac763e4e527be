/** What a new component starts from. */
export interface Template {
  readonly name: string;
  /** One line. */
  readonly about: string;
  /** Texts by what follows the name of the component in the file's name, such as `.test`; see `renderText`. */
  readonly files: { readonly [suffix: string]: string };
  /** Arguments of `x run` beside the file. */
  readonly run: string;
  /** What to do before it does something useful; a sentence for the readme. */
  readonly first?: string;
}
