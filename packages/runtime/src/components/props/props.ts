import { LRUCache } from "lru-cache";

import { XError, type Problem } from "../../model/errors.ts";
import { sha256Hex } from "../../process/sha256.ts";
import type { ComponentShape, Json, PropShape } from "../../model/model.ts";
import type { ConfiguredProps, PropsRules } from "../contract.ts";
import { type Hint, limitedHints } from "../../model/did-you-mean.ts";
import { labelledValue, plainValue } from "./label-value.ts";
import { mergeGiven, type PropsParameter } from "./merge-props.ts";
import { bindingOptions, propsSchema } from "./prop-schema.ts";
import { propKind } from "./prop-type.ts";
import { compileCheck, sentence, type Check, type SchemaProblem } from "./schema-check.ts";
import { summary } from "../shape.ts";
import { pointer, shownKind, shownValue } from "../shown-value.ts";

const keptChecks = 500;

/** The rules of configured props; keeps the compiled schemas of the shapes used last. */
export function propsRules(): PropsRules {
  const checks = new LRUCache<string, Check>({ max: keptChecks });
  const checkOf = (shape: ComponentShape): Check => {
    const schema = propsSchema(shape.props);
    const key = sha256Hex(JSON.stringify(schema));
    const check = checks.get(key) ?? compileCheck(schema);
    checks.set(key, check);
    return check;
  };

  function checked(
    shape: ComponentShape,
    given: unknown,
    previous: ConfiguredProps,
    parameter: PropsParameter,
  ): ConfiguredProps {
    const { values, problems } = mergeGiven(shape, given, previous, parameter);
    const plain = Object.fromEntries([...values].map(([name, value]) => [name, plainValue(value)]));
    const refused = new Set(problems.map(({ path }) => path));
    const hint = limitedHints();
    for (const problem of checkOf(shape)(plain)) {
      const found = valueProblem(shape, problem, parameter, hint);
      // A refused value is not reported as missing too.
      if (!refused.has(found.path) && (parameter === "props" || !isMissingProp(problem))) problems.push(found);
    }
    if (problems.length > 0) {
      throw new XError("invalid_props", [shape.name, summary(problems)], { details: { errors: problems } });
    }
    return Object.fromEntries(values);
  }

  return {
    configure: (shape, given, previous = {}) => checked(shape, given, previous, "props"),
    draft: (shape, given, previous = {}) => checked(shape, given, previous, "configuredProps"),
    values(shape, configured) {
      const entries = shape.props
        .filter(({ type }) => propKind(type) === "value")
        .map((prop): [string, Json | undefined] => [prop.name, valueOf(prop, configured)]);
      return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
    },
  };
}

/** True for a missing prop, false for a missing member of a value. */
const isMissingProp = ({ path, value }: SchemaProblem): boolean => value === undefined && path.lastIndexOf("/") === 0;

function valueOf(prop: PropShape, configured: ConfiguredProps): Json | undefined {
  const given = Object.hasOwn(configured, prop.name) ? configured[prop.name] : undefined;
  const value = prop.static ?? given ?? prop.default;
  if (value === undefined) return undefined;
  return prop.withLabel === true ? labelledValue(value) : plainValue(value);
}

function valueProblem(
  shape: ComponentShape,
  problem: SchemaProblem,
  parameter: PropsParameter,
  hintFor: Hint,
): Problem {
  const [name = "", member] = problem.path
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const prop = shape.props.find((each) => each.name === name);
  const inside = member === undefined ? "" : /^\d+$/.test(member) ? `Item ${member} of ` : `${member} of `;
  const texts = prop ? bindingOptions(prop)?.filter((option) => typeof option === "string") : undefined;
  const hint = typeof problem.value === "string" && texts ? hintFor(problem.value, texts) : "";
  const what = `${inside}${inside === "" ? "Prop" : "prop"} "${name}"`;
  const { message } = sentence(
    what,
    problem,
    prop?.secret === true ? "" : hint,
    prop?.secret === true ? shownKind : shownValue,
  );
  return { path: pointer(parameter, name) + problem.path.slice(pointer(name).length), message };
}
