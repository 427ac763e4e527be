/** One flag of a command. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** Placeholder of its value in the help; a flag without one is on or off. */
  readonly value?: string;
  readonly about: string;
  /** Not yet there: refused, and left out of the help. */
  readonly later?: true;
}
