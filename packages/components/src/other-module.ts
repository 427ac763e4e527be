import type { Problem } from "@x/model";
import { isFunction, isRecord, shownName } from "./shown-value.ts";

/** Members that only components have; `name` and `description` are too common. */
const telling = ["key", "version", "dedupe", "props", "methods", "hooks", "__proto__"];
const maxShown = 5;

const namesOf = (value: object): string => {
  const names = Object.keys(value).map(shownName);
  return names.slice(0, maxShown).join(", ") + (names.length > maxShown ? ", …" : "");
};

const isComponent = (value: unknown): boolean => isRecord(value) && isFunction(value["run"]);

const holdsFunction = (value: unknown, depth = 0): boolean =>
  isFunction(value) ||
  (typeof value === "object" &&
    value !== null &&
    depth < 3 &&
    Object.values(value).some((member) => holdsFunction(member, depth + 1)));

const problem = (message: string): Problem => ({ path: "", message: `The module exports ${message}` });

/** The problem of a module that is clearly not a component; undefined for an incomplete component. */
export function otherModule(described: unknown): Problem | undefined {
  if (typeof described !== "object" || described === null || isFunction(described)) return undefined;
  const members: readonly unknown[] = Object.values(described);
  if (members.length > 0 && members.every(isComponent)) {
    const names = Array.isArray(described) ? "" : ` (${namesOf(described)})`;
    return problem(
      `components or actions in one object${names}; give each a file of its own, with export default { … }`,
    );
  }
  if (!isRecord(described)) return undefined;
  if (described["type"] === "app")
    return problem(
      "an app, which is no component; components have it as a prop: props: { acme } with import acme from its file",
    );
  const isMeant = [...telling, "run"].some((name) => Object.hasOwn(described, name));
  if (isMeant || members.length === 0 || holdsFunction(described)) return undefined;
  return problem(
    `data without any function (${namesOf(described)}), such as a sample event; a component is export default { name, version, run() { … } }`,
  );
}
