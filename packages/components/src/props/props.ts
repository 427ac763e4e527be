import { LRUCache } from "lru-cache";

import {
  XError,
  limitedHints,
  membersOf,
  pointer,
  sha256Hex,
  type ComponentShape,
  type Hint,
  type Json,
  type Problem,
} from "@x/model";
import type { ConfiguredProps, PropsRules, ReadVerify } from "../contract.ts";
import { valueOrDefault } from "./default-value.ts";
import { plainValue } from "./label-value.ts";
import { mergeGiven, type PropsParameter } from "./merge-props.ts";
import { bindingOptions, propsSchema } from "./prop-schema.ts";
import { propKind } from "./prop-type.ts";
import { compileCheck, sentence, type Check, type SchemaProblem } from "./schema-check.ts";
import { fewProblems } from "../bounds.ts";
import { summary } from "../shape.ts";
import { shownKind, shownValue } from "../shown-value.ts";

const keptChecks = 500;

/** The rules of configured props; keeps the compiled schemas of the shapes used last. */
export function propsRules(readVerify: ReadVerify): PropsRules {
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
    const { values, problems } = mergeGiven(shape, given, previous, { parameter, readVerify });
    const plain = Object.fromEntries([...values].map(([name, value]) => [name, plainValue(value)]));
    const refused = new Set(problems.map(({ path }) => path));
    const hint = limitedHints();
    for (const problem of checkOf(shape)(plain)) {
      const found = valueProblem(shape, problem, parameter, hint);
      // A refused value is not reported as missing too.
      if (!refused.has(found.path) && (parameter === "props" || !isMissingProp(problem))) problems.push(found);
    }
    if (problems.length > 0) {
      throw new XError("invalid_props", [shape.name, summary(problems)], {
        details: { errors: fewProblems(problems) },
      });
    }
    return Object.fromEntries(values);
  }

  return {
    configure: (shape, given, previous = {}) => checked(shape, given, previous, "props"),
    draft: (shape, given, previous = {}) => checked(shape, given, previous, "configuredProps"),
    values(shape, configured) {
      const entries = shape.props
        .filter(({ type }) => ["value", "dir"].includes(propKind(type)))
        .map((prop): [string, Json | undefined] => [prop.name, valueOrDefault(prop, configured)]);
      return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
    },
  };
}

/** True for a missing prop, false for a missing member of a value. */
const isMissingProp = ({ path, value }: SchemaProblem): boolean => value === undefined && path.lastIndexOf("/") === 0;

function valueProblem(
  shape: ComponentShape,
  problem: SchemaProblem,
  parameter: PropsParameter,
  hintFor: Hint,
): Problem {
  const [name = "", member] = membersOf(problem.path);
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
