import {
  XError,
  isNoComponent,
  type ComponentShape,
  type HookName,
  type Json,
  type Problem,
  type PropShape,
} from "@x/model";
import { type LocatedProblem, locateProblems } from "./author/problem-locations.ts";
import { fewProblems, fewWarnings, propsBounds } from "./bounds.ts";
import type { Bundled } from "./contract.ts";
import { componentProblems, findDeclaredName, type DescribedComponent } from "./description.ts";
import { appPropProblems } from "./props/app-hook.ts";
import { componentEmits } from "./event-schema/component-emits.ts";
import { propShape } from "./props/prop-shape.ts";
import { componentWarnings } from "./shape-warnings.ts";
import { isFunction, isRecord } from "./shown-value.ts";
import { undeclaredWarnings } from "./undeclared-warnings.ts";

const hookNames: readonly HookName[] = ["deploy", "activate", "deactivate"];

/** The shapes of the declared props; adds what is wrong with them to `problems`. */
function propShapes(described: unknown, problems: Problem[]): PropShape[] {
  const declared = isRecord(described) && Object.hasOwn(described, "props") ? described["props"] : undefined;
  if (!isRecord(declared) || isFunction(declared)) return [];
  return Object.entries(declared).flatMap(([name, prop]) => propShape(name, prop, problems) ?? []);
}

const longestSample = 16 * 1024;

/** The example of an event, when it can be the body of test requests and is not long. */
function sampleOf({ sampleEmit }: { readonly sampleEmit?: Json }, props: readonly PropShape[]): { sampleEmit?: Json } {
  const isUsed =
    sampleEmit !== undefined && !isFunction(sampleEmit) && props.some(({ type }) => type === "$.interface.http");
  return isUsed && JSON.stringify(sampleEmit).length <= longestSample ? { sampleEmit } : {};
}

/**
 * Reads the shape of a component from its description. Throws `invalid_component` with every problem and its position in
 * the `bundled` code. `fallbackName` names a component that declares neither name nor key. `mayBeOther`: the module comes
 * from a folder that also has modules which are no components; their problems get no positions, which saves parsing.
 */
export function parseShape(
  descriptionJson: string,
  fallbackName: string,
  bundled?: Pick<Bundled, "bundle" | "sourceMap" | "code" | "packages" | "warnings">,
  mayBeOther = false,
): ComponentShape {
  const described: unknown = JSON.parse(descriptionJson);
  const problems = componentProblems(described);
  const props = propShapes(described, problems);
  problems.push(...propsBounds(props), ...appPropProblems(props));
  if (problems.length > 0) {
    const few = fewProblems(problems);
    const isPlaced = bundled && !(mayBeOther && isNoComponent(problems));
    const placed = isPlaced ? locateProblems(few, bundled) : few;
    throw invalidComponent(findDeclaredName(described) ?? fallbackName, placed);
  }

  const emits = componentEmits(described as { readonly emits?: unknown; readonly sampleEmit?: Json });
  const warnings = fewWarnings([
    ...(bundled?.warnings ?? []),
    ...componentWarnings(described),
    ...emits.warnings,
    ...(bundled ? undeclaredWarnings(described, bundled) : []),
  ]);
  const {
    name,
    version,
    key,
    description,
    dedupe,
    transactional,
    exactIntegers,
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
    ...(exactIntegers !== undefined && { exactIntegers }),
    props,
    hooks: hookNames.filter((hook) => Object.hasOwn(hooks, hook)),
    ...(isFunction(additionalProps) && { additionalProps: true }),
    ...emits.shape,
    ...sampleOf(described as { readonly sampleEmit?: Json }, props),
    ...((described as { type?: unknown }).type === "action" && { action: true }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** An `invalid_component` error with all problems in `details.errors`, and the first few in its message. */
export function invalidComponent(
  name: string,
  problems: readonly LocatedProblem[],
  details: { readonly [detail: string]: unknown } = {},
): XError<"invalid_component"> {
  return new XError("invalid_component", [name, summary(problems)], { details: { errors: problems, ...details } });
}

const summarized = 3;

/** The first problems as one text, with the number of the others. */
export function summary(problems: readonly LocatedProblem[]): string {
  const text = problems
    .slice(0, summarized)
    .map(({ file, line, column, message }) => (file === undefined ? message : `${file}:${line}:${column}: ${message}`))
    .join("; ");
  return problems.length > summarized ? `${text}; and ${problems.length - summarized} more` : text;
}
