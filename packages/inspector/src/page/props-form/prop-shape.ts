/** A prop of a component, as `configurable_props` has it. */
export interface PropShape {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly static?: unknown;
  readonly options?: readonly unknown[];
  readonly min?: number;
  readonly max?: number;
  readonly secret?: boolean;
  readonly app?: string;
  readonly remoteOptions?: boolean;
  readonly reloadProps?: boolean;
  readonly useQuery?: boolean;
  readonly hidden?: boolean;
  readonly alertType?: string;
  readonly content?: string;
}

/** A choice of a prop. */
export interface Choice {
  readonly label: string;
  readonly value: unknown;
}

/** The control that a prop is filled in with. */
export type FieldKind =
  | "none"
  | "alert"
  | "timer"
  | "account"
  | "choice"
  | "boolean"
  | "integer"
  | "text"
  | "list"
  | "json";

const isList = ({ type }: PropShape): boolean => type.endsWith("[]");

const withoutField: ReadonlySet<string> = new Set(["$.interface.http", "$.interface.apphook", "$.service.db", "dir"]);

export function fieldKind(prop: PropShape): FieldKind {
  if (prop.type === "alert") return "alert";
  if (prop.type === "$.interface.timer") return "timer";
  if (prop.type === "app") return "account";
  if (prop.hidden || withoutField.has(prop.type)) return "none";
  if (prop.remoteOptions || (prop.options?.length ?? 0) > 0) return "choice";
  if (isList(prop)) return "list";
  if (prop.type === "boolean") return "boolean";
  if (prop.type === "integer" || prop.type === "number") return "integer";
  if (prop.type === "string" || prop.type === "$.discord.channel" || prop.type === "data_store") return "text";
  return "json";
}

export const takesMany = isList;

/** True when a value must be given. */
export const isRequired = (prop: PropShape): boolean =>
  prop.optional !== true && prop.default === undefined && prop.static === undefined && fieldKind(prop) !== "timer";

export const labelOf = ({ label, name }: PropShape): string => label ?? name;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The text for a value that has no label. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** A declared or stored choice: a plain value, `{label, value}`, or `{__lv: {label, value}}`. */
export function choiceOf(value: unknown): Choice {
  const given = isRecord(value) && "__lv" in value ? value["__lv"] : value;
  if (!isRecord(given) || !("value" in given)) return { label: textOf(given), value: given };
  const { label } = given;
  return { label: typeof label === "string" ? label : textOf(given["value"]), value: given["value"] };
}

/** A choice as it is configured: with its label, when it has one, so that later readers see it. */
export const configuredChoice = ({ label, value }: Choice): unknown =>
  label === textOf(value) ? value : { __lv: { label, value } };

/** True for the mark of a stored secret. */
export const isStoredSecret = (value: unknown): boolean => isRecord(value) && value["__secret"] === true;
