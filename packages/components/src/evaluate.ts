import { XError, sha256Hex, stackPlaces, type Problem } from "@x/model";
import type { Bundled, Describe } from "./contract.ts";
import { createAuthorSources } from "./author/author-source.ts";
import { explainError } from "./author/explain-error.ts";

/** Creates the error of an invalid module. */
export type Refuse = (
  name: string,
  problems: readonly Problem[],
  details: { readonly [detail: string]: unknown },
) => XError;

/** Evaluates a bundle and returns the description of its exports as JSON text. */
export type Evaluate = (
  bundled: Pick<Bundled, "bundle" | "sourceMap" | "packages" | "awaits" | "warnings">,
  name: string,
  refuse: Refuse,
) => Promise<string>;

/** Factor for the time limit of code with packages: an SDK of a large vendor has 15 MB. */
const timesWithPackages = 3;

export function createEvaluate(describe: Describe): Evaluate {
  const authorSources = createAuthorSources();
  return async (bundled, name, refuse) => {
    const hash = sha256Hex(bundled.bundle);
    const description = await describe({ hash, code: bundled.bundle }, bundled.packages ? timesWithPackages : 1);
    if (description.ok) return description.json;
    const { code } = description.error;
    if (code === "closed") throw new XError("closed", []);
    if (code === "module_pending") {
      const [first = "the module", ...others] = bundled.awaits ?? [];
      const more = others.length === 0 ? "" : ` (others: ${others.join(", ")})`;
      throw refuse(name, [{ path: "", message: `${first}: ${description.error.message}${more}` }], { reason: code });
    }
    const source = authorSources(bundled.sourceMap);
    const {
      name: errorName,
      message,
      stack: mapped,
      ...explained
    } = explainError(description.error, source, { props: [] });
    // Code that needs its own place mostly throws at once.
    const hint = explained.hint ?? bundled.warnings?.find(({ rule }) => rule === "import-meta")?.message;
    const [place] = stackPlaces(mapped);
    const problem = `${place ? `${place.file}:${place.line}:${place.column}: ` : ""}${errorName === "" ? "" : `${errorName}: `}${message}`;
    throw refuse(name, [{ path: "", message: problem }], {
      stack: mapped,
      reason: code,
      ...(hint !== undefined && { hint }),
    });
  };
}
