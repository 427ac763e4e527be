/** Most rows of one statement: each may have a body of some hundred kilobytes. */
const maxRows = 32;

interface Asked<Row> {
  readonly id: string;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads a row by its id. What is asked for in one turn of the event loop is read with one statement: after a group commit,
 * many lanes go on at once, and each statement of its own would cost as much as the commit of one of them.
 */
export function createReadsById<Row extends { readonly id: string }>(
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): (id: string) => Promise<Row | undefined> {
  let waiting: Asked<Row>[] = [];

  async function answer(asked: readonly Asked<Row>[]): Promise<void> {
    try {
      const rows = new Map((await read([...new Set(asked.map(({ id }) => id))])).map((row) => [row.id, row]));
      for (const { id, resolve } of asked) resolve(rows.get(id));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  function readAll(): void {
    const asked = waiting;
    waiting = [];
    for (let from = 0; from < asked.length; from += maxRows) void answer(asked.slice(from, from + maxRows));
  }

  return (id) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(readAll);
      waiting.push({ id, resolve, reject });
    });
}
