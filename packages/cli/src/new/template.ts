/** What a new component starts from. */
export interface Template {
  readonly name: string;
  /** One line: what the event source does; for what is none, what it is: "a step for workflows". */
  readonly about: string;
  /** Texts by what follows the name of the component in the file's name, such as `.test`; see `renderText`. */
  readonly files: { readonly [suffix: string]: string };
  /** Arguments of `x run` beside the file. */
  readonly run: string;
  /** Arguments of every command that makes a source of it: the props without which there is none. */
  readonly props?: string;
  /** How a running service takes a source of it: the text of its one file, or by its key from a registry. */
  readonly deploys?: "text" | "key";
  /** What to do before it does something useful; a sentence for the readme. */
  readonly first?: string;
}
