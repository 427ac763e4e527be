import { XError } from "../model/errors.ts";
import { isNoComponent } from "../model/module-kind.ts";
import type { ComponentShape, HookName, PropShape } from "../model/model.ts";
import { type LocatedProblem, locateProblems } from "./author/problem-locations.ts";
import { fewProblems, fewWarnings, propsBounds } from "./bounds.ts";
import type { Bundled } from "./contract.ts";
import { componentProblems, findDeclaredName, type DescribedComponent } from "./description.ts";
import { propShape } from "./props/prop-shape.ts";
import { componentWarnings } from "./shape-warnings.ts";
import { isFunction, isRecord } from "./shown-value.ts";
import { undeclaredWarnings } from "./undeclared-warnings.ts";

const hookNames: readonly HookName[] = ["deploy", "activate", "deactivate"];

/**
 * The shape of a described component. Throws `invalid_component` with every problem, and where it is in the `bundled` code;
 * `fallbackName` stands for a component that declares neither name nor key. `mayBeOther`: a folder has other modules, too;
 * nobody looks for their problems, so the bundle is not parsed to find their places.
 */
export function parseShape(
  descriptionJson: string,
  fallbackName: string,
  bundled?: Pick<Bundled, "bundle" | "sourceMap" | "code" | "packages">,
  mayBeOther = false,
): ComponentShape {
  const described: unknown = JSON.parse(descriptionJson);
  const problems = componentProblems(described);
  const props: PropShape[] = [];
  const declared = isRecord(described) && Object.hasOwn(described, "props") ? described["props"] : undefined;
  if (isRecord(declared) && !isFunction(declared)) {
    for (const [name, prop] of Object.entries(declared)) {
      const shape = propShape(name, prop, problems);
      if (shape) props.push(shape);
    }
  }
  problems.push(...propsBounds(props));
  if (problems.length > 0) {
    const few = fewProblems(problems);
    const isPlaced = bundled && !(mayBeOther && isNoComponent(problems));
    const placed = isPlaced ? locateProblems(few, bundled) : few;
    throw invalidComponent(findDeclaredName(described) ?? fallbackName, placed);
  }

  const warnings = fewWarnings([
    ...componentWarnings(described),
    ...(bundled ? undeclaredWarnings(described, bundled) : []),
  ]);
  const {
    name,
    version,
    key,
    description,
    dedupe,
    transactional,
    hooks = {},
    additionalProps,
  } = described as DescribedComponent;
  return {
    name,
    version,
    ...(key !== undefined && { key }),
    ...(description !== undefined && { description }),
    ...(dedupe !== undefined && { dedupe }),
    ...(transactional !== undefined && { transactional }),
    props,
    hooks: hookNames.filter((hook) => Object.hasOwn(hooks, hook)),
    ...(isFunction(additionalProps) && { additionalProps: true }),
    ...((described as { type?: unknown }).type === "action" && { action: true }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** `invalid_component` with all problems in `details.errors`, the first few in the text. */
export function invalidComponent(
  name: string,
  problems: readonly LocatedProblem[],
  details: { readonly [detail: string]: unknown } = {},
): XError<"invalid_component"> {
  return new XError("invalid_component", [name, summary(problems)], { details: { errors: problems, ...details } });
}

const summarized = 3;

/** The first problems as one text. */
export function summary(problems: readonly LocatedProblem[]): string {
  const text = problems
    .slice(0, summarized)
    .map(({ file, line, column, message }) => (file === undefined ? message : `${file}:${line}:${column}: ${message}`))
    .join("; ");
  return problems.length > summarized ? `${text}; and ${problems.length - summarized} more` : text;
}
