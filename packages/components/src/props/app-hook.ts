import { pointer, type Problem, type PropShape } from "@x/model";
import { shownName, shownValue } from "../shown-value.ts";

const maxNames = 1_000;
const longestName = 200;
const expected = `an array of at most ${maxNames} names of 1 to ${longestName} characters`;

const isName = (value: unknown): boolean =>
  (typeof value === "string" && value !== "" && value.length <= longestName) ||
  (typeof value === "number" && Number.isFinite(value));

/** True for a list of names. */
const areNames = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) && value.length <= maxNames && value.every(isName);

/** Names as texts, each once; undefined for what are no names. A bare name is a list of it. */
export function readEventNames(value: unknown): readonly string[] | undefined {
  const list = value === undefined || value === null ? [] : isName(value) ? [value] : value;
  return areNames(list) ? [...new Set(list.map(String))] : undefined;
}

/** The prop with its names as texts. */
export function withEventNames(prop: PropShape): PropShape {
  if (prop.type !== "$.interface.apphook") return prop;
  const texts = (field: "eventNames" | "static"): object =>
    areNames(prop[field]) ? { [field]: readEventNames(prop[field]) } : {};
  return { ...prop, ...texts("eventNames"), ...texts("static") };
}

/** What is wrong with an apphook prop by itself. */
export function appHookProblems(prop: PropShape): Problem[] {
  const { name, appProp } = prop;
  const problems: Problem[] = [];
  if (typeof appProp !== "string" || appProp === "")
    problems.push({
      path: "/appProp",
      message: `appProp of prop "${name}" is missing; expected the name of an app prop`,
    });
  for (const field of ["eventNames", "static"] as const) {
    if (prop[field] === undefined || areNames(prop[field])) continue;
    const message = `${field} of prop "${name}" must be ${expected}, got ${shownValue(prop[field])}`;
    problems.push({ path: `/${field}`, message });
  }
  return problems;
}

/** The app prop that an apphook prop listens through: that of its name, otherwise the only one of its app. */
export function appPropOf(props: readonly PropShape[], { appProp }: PropShape): PropShape | undefined {
  const apps = props.filter(({ type }) => type === "app");
  const ofSlug = apps.filter(({ app }) => app === appProp);
  return apps.find(({ name }) => name === appProp) ?? (ofSlug.length === 1 ? ofSlug[0] : undefined);
}

/** Problems of apphook props whose app prop is not there. */
export function appPropProblems(props: readonly PropShape[]): Problem[] {
  const apps = props.filter(({ type }) => type === "app").map(({ name }) => shownName(name));
  const there = apps.length === 0 ? "there is none" : `the app props are ${apps.join(", ")}`;
  return props
    .filter((prop) => prop.type === "$.interface.apphook" && !appPropOf(props, prop))
    .map((prop): Problem => {
      const message = `appProp of prop "${prop.name}" must be the name of an app prop, got ${shownValue(prop["appProp"])}; ${there}`;
      return { path: pointer("props", prop.name, "appProp"), message };
    });
}

/** The names that a component fixes itself; undefined where a function gives them. None: every event. */
export function fixedEventNames(prop: PropShape): readonly string[] | undefined {
  if (Array.isArray(prop.static)) return prop.static as string[];
  if (prop["remote"] === true && prop["eventNames"] === undefined) return undefined;
  return (prop["eventNames"] ?? []) as string[];
}
