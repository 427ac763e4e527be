import type { JSX } from "preact";

import { count } from "../text/format.ts";

interface ProgressProps {
  /** What becomes of each, such as "Replayed". */
  readonly label: string;
  readonly done: number;
  readonly total: number;
}

/** How far something is that is done many times. */
export const Progress = ({ label, done, total }: ProgressProps): JSX.Element => (
  <span class="row dim number" role="status">
    <progress aria-label={label} max={total} value={done} />{" "}
    {`${count(done)} of ${count(total)} ${label.toLowerCase()}`}
  </span>
);
