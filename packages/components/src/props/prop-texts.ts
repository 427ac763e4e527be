import type { ComponentShape, Json } from "@x/model";

/** Values as a person types them: one or more texts by prop. */
export type PropTexts = { readonly [prop: string]: readonly string[] };

type Values = { readonly [prop: string]: Json };

const yes = /^(?:true|yes|on|1)$/i;
const no = /^(?:false|no|off|0)$/i;

function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** One value of a type. A text that is none stays a text, which the check of the value refuses. */
function readOne(type: string, text: string): Json {
  switch (type) {
    case "string":
    case "$.discord.channel":
      return text;
    case "integer":
      return /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : text;
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return yes.test(text.trim()) ? true : no.test(text.trim()) ? false : text;
    default:
      return parsedOr(text);
  }
}

/** The items of a list: those of a JSON list, else the parts between commas. */
function itemsOf(type: string, text: string): Json[] {
  const list = text.trimStart().startsWith("[") ? parsedOr(text) : undefined;
  if (Array.isArray(list)) return list.map((item) => (typeof item === "object" ? item : readOne(type, String(item))));
  return text.trim() === "" ? [] : text.split(",").map((item) => readOne(type, item.trim()));
}

function readTexts(type: string | undefined, texts: readonly string[]): Json {
  if (type?.endsWith("[]")) return texts.flatMap((text) => itemsOf(type.slice(0, -2), text));
  return readOne(type ?? "any", texts.at(-1) ?? "");
}

/** The values with those that the texts mean by the types of their props: a string as it is, a list by commas or repeated. */
export function withPropTexts({ props }: Pick<ComponentShape, "props">, values: Values, texts: PropTexts = {}): Values {
  const types = new Map(props.map(({ name, type }) => [name, type]));
  const read = Object.entries(texts).map(([name, given]): [string, Json] => [name, readTexts(types.get(name), given)]);
  return { ...values, ...Object.fromEntries(read) };
}
