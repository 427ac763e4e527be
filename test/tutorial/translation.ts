/** Commands and output for npm as they are for another manager. */
export type Translate = (text: string) => string;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Reads the table of a page, whose first row names the managers, and whose other rows have one command in each cell. */
export function readTranslation(page: string, manager: string): Translate {
  const rows = [...page.matchAll(/^\|(.+)\|$/gm)].map(([, row = ""]) =>
    row.split("|").map((cell) => cell.trim().replaceAll("`", "")),
  );
  const [names = [], , ...commands] = rows.slice(rows.findIndex(([first]) => first === "npm"));
  const column = names.indexOf(manager);
  if (column < 0) throw new Error(`The page has no commands of ${manager}, but those of ${names.join(", ")}`);
  const rules = commands.map((row) => {
    const pattern = escaped(row[0] ?? "").replaceAll("…", "(.*?)");
    let place = 0;
    const replacement = (row[column] ?? "").replaceAll("…", () => `$${++place + 1}`);
    return { pattern: new RegExp(`^( *)${pattern}$`, "gm"), replacement: `$1${replacement}` };
  });
  return (text) => rules.reduce((done, { pattern, replacement }) => done.replace(pattern, replacement), text);
}
