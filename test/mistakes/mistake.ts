import type { Json } from "@x/runtime";

/** Where a mistake is made, and where its message can be read. */
export type Tool = "run" | "dev" | "lint" | "harness";

/** One mistake of a beginner: a small component in `feed.js`, and what has to be said about it. */
export interface Mistake {
  readonly title: string;
  readonly code: string;
  /** Beside it, by name. */
  readonly files?: { readonly [name: string]: string };
  readonly event?: Json;
  readonly props?: { readonly [prop: string]: Json };
  /** What every tool that is named must say: the place, and the repair. */
  readonly says: readonly string[];
  /** Default: all four. What only a run shows, `x lint` cannot say. */
  readonly told?: readonly Tool[];
}

/** Tools that run the component. */
export const running: readonly Tool[] = ["run", "dev", "harness"];

/** A component with these members. */
export const component = (members: string, before = ""): string =>
  `${before}export default {\n  name: "Feed",\n  version: "0.1.0",\n${members.replaceAll(/^/gm, "  ")}\n};\n`;

/** A component whose run is this. */
export const runs = (body: string, members = "", before = ""): string =>
  component(`${members === "" ? "" : `${members}\n`}async run(event) {\n${body.replaceAll(/^/gm, "  ")}\n},`, before);
