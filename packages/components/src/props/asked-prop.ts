import { XError, didYouMean, type ComponentShape, type PropShape } from "@x/model";
import { shownValue } from "../shown-value.ts";

/** The prop whose options are requested. Throws `invalid_parameter` when it does not exist or has no options. */
export function findAsked({ name: component, props }: ComponentShape, name: string): PropShape {
  const prop = props.find((each) => each.name === name);
  if (prop && (prop.options !== undefined || prop.remoteOptions === true)) return prop;
  const expected = `the name of a prop of component ${component} that has options`;
  const choosable = props.filter(({ options, remoteOptions }) => options !== undefined || remoteOptions === true);
  const hint = didYouMean(name, prop ? [] : choosable.map((each) => each.name));
  const got = prop ? `${shownValue(name)}, which has none` : `${shownValue(name)}${hint}`;
  throw new XError("invalid_parameter", ["propName", expected, got], { details: { received: name } });
}
