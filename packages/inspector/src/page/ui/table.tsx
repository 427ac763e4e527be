import type { ComponentChildren, JSX } from "preact";

interface TableProps {
  readonly columns: readonly string[];
  /** The last column has buttons; its heading is for screen readers alone. */
  readonly hasActions?: boolean;
  readonly tight?: boolean;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table with a heading for each column. */
export function Table({ columns, hasActions = false, tight = false, children }: TableProps): JSX.Element {
  return (
    <table class={tight ? "plain-table tight" : "plain-table"}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
          {hasActions && (
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface TableCardProps extends TableProps {
  /** What the table lists, for screen readers. */
  readonly label: string;
}

/** A card with a table that scrolls sideways where it is too wide, also by keyboard. */
export function TableCard({ label, ...table }: TableCardProps): JSX.Element {
  return (
    <div class="card scroll-x" tabIndex={0} role="group" aria-label={label}>
      <Table {...table} />
    </div>
  );
}
