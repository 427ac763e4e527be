import type { Json } from "@x/runtime";

/** The tools that show the message of a mistake. */
export type Tool = "run" | "dev" | "lint" | "harness";

/** One mistake of a beginner: a small component in `feed.js`, and the expected message. */
export interface Mistake {
  readonly title: string;
  readonly code: string;
  /** Other files in the folder, by name. */
  readonly files?: { readonly [name: string]: string };
  readonly event?: Json;
  readonly props?: { readonly [prop: string]: Json };
  /** What the message of each named tool must contain: the source location, and the fix. */
  readonly says: readonly string[];
  /** Default: all four. `x lint` cannot report what only a run shows. */
  readonly tools?: readonly Tool[];
}

/** Tools that run the component. */
export const running: readonly Tool[] = ["run", "dev", "harness"];

/** A component with these members. */
export const component = (members: string, before = ""): string =>
  `${before}export default {\n  name: "Feed",\n  version: "0.1.0",\n${members.replaceAll(/^/gm, "  ")}\n};\n`;

/** A component with this `run`. */
export const runs = (body: string, members = "", before = ""): string =>
  component(`${members === "" ? "" : `${members}\n`}async run(event) {\n${body.replaceAll(/^/gm, "  ")}\n},`, before);
