import { DatabaseSync, type SQLInputValue } from "node:sqlite";

type Done<Value> = (error: Error | null, value?: Value) => void;

function answer<Value>(done: Done<Value>, work: () => Value): void {
  let outcome: [Error | null, Value?];
  try {
    outcome = [null, work()];
  } catch (error) {
    outcome = [error instanceof Error ? error : new Error(String(error))];
  }
  setImmediate(done, ...outcome);
}

/** The part of the package sqlite3 that @keyv/sqlite calls, on Node's own SQLite: that package compiles a native module. */
export class Database {
  readonly #connection: DatabaseSync;

  constructor(file: string, done: Done<void>) {
    this.#connection = new DatabaseSync(file, { open: false });
    answer(done, () => this.#connection.open());
  }

  configure(option: string, value: number): void {
    if (option !== "busyTimeout") throw new Error(`Option ${option} is not known`);
    this.#connection.exec(`PRAGMA busy_timeout = ${value}`);
  }

  all(sql: string, ...rest: [...values: (SQLInputValue | SQLInputValue[])[], done: Done<object[]>]): void {
    const done = rest.at(-1) as Done<object[]>;
    const values = rest.slice(0, -1).flat() as SQLInputValue[];
    answer(done, () => this.#connection.prepare(sql).all(...values));
  }

  close(done: Done<void>): void {
    answer(done, () => this.#connection.close());
  }
}

export default { Database };
