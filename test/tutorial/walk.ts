import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { freePort } from "../free-port.ts";
import { openShell, type Running, type Shell, type Typed } from "../packed/shell.ts";
import { readShown } from "./shown.ts";
import type { Translate } from "./translation.ts";

/** Where a walk takes place. */
interface Place {
  /** An empty folder, the home of the user. */
  readonly home: string;
  readonly nodeFolder: string;
  /** An npm registry with the packages of the workspace. */
  readonly registry: string;
  /** The manager whose commands the user types instead of those of npm. */
  readonly translate: Translate;
}

/** A picture that a page shows, when the walk comes to it. */
export interface PictureMoment {
  readonly name: string;
  /** The service that runs. */
  readonly url: string;
  readonly apiKey: string;
  /** What is there for an id that the pages name. */
  readonly actual: (text: string) => string;
}

/** A part of a page that a reader follows: a block, or a picture. */
interface Part {
  readonly kind: string;
  readonly text: string;
}

const npmRegistry = "https://registry.example.com";
const apiKey = "tutorial-key";
/** What managers print at the end of a command of theirs. */
const lastLine = /^Done in .*\n+$/m;

/** Ends what hangs; a busy machine may take ten times as long as a quiet one. */
const hangMs = 120_000;
const untilHang = <T>(work: Promise<T> | undefined): Promise<T | undefined> =>
  Promise.race([work, once(AbortSignal.timeout(hangMs), "abort").then(() => undefined)]);

const partsOf = (page: string): Part[] =>
  [...page.matchAll(/^```(.+)\n([\s\S]*?)^```$|^!\[[^\]]*\]\(\.\.\/images\/(.+)\)$/gm)].map(
    ([, kind = "picture", text = "", picture]) => ({ kind, text: picture ?? text }),
  );

/** The texts of the pages as they are in this walk: other addresses, and the ids that were seen. */
function createTexts(
  service: string,
  registry: string,
): {
  moved(text: string): string;
  actual(text: string): string;
  learn(examples: readonly string[], seen: readonly string[]): void;
} {
  const ids = new Map<string, string>();
  const moved = (text: string): string =>
    text.replaceAll("http://127.0.0.1:7777", service).replaceAll(npmRegistry, registry.slice(0, -1));
  return {
    moved,
    actual: (text) => [...ids].reduce((replaced, [example, id]) => replaced.replaceAll(example, id), moved(text)),
    learn(examples, seen) {
      for (const [index, example] of examples.entries()) {
        const [known, found = ""] = [ids.get(example), seen[index]];
        if (known !== undefined && known !== found)
          throw new Error(`The page shows ${example} for ${known} and for ${found}.`);
        ids.set(example, found);
      }
    },
  };
}

/** A terminal in which a user types commands as the pages have them, but on a free port, and with a registry on loopback. */
function createTerminal(
  shell: Shell,
  { home, translate }: Place,
  port: number,
): {
  /** Runs commands to their ends; resolves with their output. With `fails` the last one must fail. */
  type(lines: readonly string[], fails: boolean): Promise<string>;
  start(line: string): Running;
  edit(file: string, text: string): void;
} {
  let here = home;
  const words = (line: string): string =>
    translate(
      line
        .replace(/^npx @x\/cli (?:dev|serve)\b.*/, `$& --port ${port}`)
        .replace(/^npx @x\/cli (?:dev|serve|run)\b.*/, "$& --network allow-private"),
    );

  async function typeLine(line: string, fails: boolean): Promise<string> {
    const [, folder] = /^cd (\S+)$/.exec(line) ?? [];
    const [, name, value] = /^export (\w+)=(\S+)$/.exec(line) ?? [];
    if (folder !== undefined) {
      shell.cd(folder);
      here = join(here, folder);
    } else if (name !== undefined && value !== undefined) shell.export(name, value);
    else if (!fails) return (await shell.run(words(line))).output;
    else {
      const { code, output } = await shell.start(words(line)).end;
      if (code === 0) throw new Error(`${line} did not fail.`);
      return output;
    }
    return "";
  }

  return {
    async type(lines, fails) {
      let output = "";
      for (const [index, line] of lines.entries()) output += await typeLine(line, fails && index === lines.length - 1);
      return output;
    },
    start: (line) => shell.start(words(line)),
    edit: (file, text) => writeFileSync(join(here, file), text),
  };
}

const transcriptOf = (typed: readonly Typed[]): string =>
  typed.map(({ command, output, seconds }) => `[${seconds.join(" s to ")} s] $ ${command}\n${output}`).join("\n");

/** What was seen on a walk. */
interface Walk {
  readonly pages: number;
  readonly compared: number;
  readonly pictures: number;
  /** What the user typed and saw, with the seconds since the start. */
  readonly transcript: string;
}

/** Follows the pages of the tutorial, one after another, as a user who types what they say, and compares what they show. */
export async function walkTutorial(
  folder: string,
  place: Place,
  onPicture: (moment: PictureMoment) => Promise<void>,
): Promise<Walk> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { moved, actual, learn } = createTexts(url, place.registry);
  await using shell = openShell(place.home, place.nodeFolder);
  shell.export("NO_COLOR", "1");
  shell.addPrograms(join(place.home, "bin"));
  const terminal = createTerminal(shell, place, port);
  const counts = { compared: 0, pictures: 0 };
  let running: Running | undefined;
  /** How much of its output was compared. */
  let read = 0;
  /** The output of the commands before, or undefined when it is that of the running one. */
  let output: string | undefined;

  async function compare(text: string): Promise<void> {
    counts.compared++;
    const { pattern, ids } = readShown(moved(place.translate(text)));
    const match =
      output === undefined
        ? await untilHang(running?.printed(new RegExp(`^[^]{${read}}(?:.*\\n)*?${pattern}(?=\\n)`)))
        : new RegExp(`^\\n*${pattern}\\s*$`).exec(output.replace(lastLine, ""));
    const printed = output ?? (match ? "" : (await running?.stop())?.output);
    if (!match) throw new Error(`The page shows\n\n${text}\nand the output is\n\n${printed}`);
    if (output === undefined) read = match[0].length;
    learn(ids, match.slice(1));
  }

  async function follow({ kind, text }: Part): Promise<void> {
    const lines = actual(text).trimEnd().split("\n");
    const [, file] = /^\/\/ ([\w.-]+)\n/.exec(text) ?? [];
    if (kind === "picture") {
      counts.pictures++;
      await onPicture({ name: text, url, apiKey, actual });
    } else if (kind === "sh stays") {
      await running?.stop();
      await terminal.type(lines.slice(0, -1), false);
      running = terminal.start(lines.at(-1) ?? "");
      [read, output] = [0, undefined];
    } else if (kind === "sh" || kind === "sh fails") output = await terminal.type(lines, kind === "sh fails");
    else if (kind === "js" && file !== undefined) {
      terminal.edit(file, `${lines.slice(1).join("\n")}\n`);
      output = undefined;
    } else if (kind === "js" || kind === "text") await compare(text);
    else throw new Error(`Nobody can follow a block of the kind ${kind}.`);
  }

  const pages = globSync("*.md", { cwd: folder }).toSorted();
  for (const page of pages)
    for (const part of partsOf(readFileSync(join(folder, page), "utf8")))
      await follow(part).catch((error: unknown) => {
        throw new Error(`docs/tutorial/${page}: ${String(error)}`, { cause: error });
      });
  await running?.stop();
  return { pages: pages.length, ...counts, transcript: transcriptOf(await shell.typed()) };
}
