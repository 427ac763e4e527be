import type { AskIntl } from "./intl-arguments.ts";

export type BoundMethods = Record<string, (self: unknown, given: unknown[]) => unknown>;

interface Description {
  readonly text: string;
  readonly maximized: string;
  readonly minimized: string;
  readonly lists: Record<string, unknown>;
  readonly [property: string]: unknown;
}

export declare class Locale {
  toString(): string;
}

const properties =
  "baseName,calendar,caseFirst,collation,hourCycle,language,numberingSystem,numeric,region,script".split(",");
const lists = "getCalendars,getCollations,getHourCycles,getNumberingSystems,getTextInfo,getTimeZones,getWeekInfo".split(
  ",",
);

/** `Intl.Locale`: the constructor asks the host for a description of the tag. */
export function createLocale(ask: AskIntl, readOptions: (given: unknown) => Record<string, unknown>): typeof Locale {
  class OwnLocale {
    readonly #description: Description;
    constructor(tag?: unknown, options?: unknown) {
      if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
        throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
      this.#description = ask("Locale", [], readOptions(options), "", [["s", String(tag)]]) as Description;
    }
    static read(locale: OwnLocale, name: string): unknown {
      return locale.#description[name];
    }
    maximize(): OwnLocale {
      return new OwnLocale(this.#description.maximized);
    }
    minimize(): OwnLocale {
      return new OwnLocale(this.#description.minimized);
    }
    toString(): string {
      return this.#description.text;
    }
  }
  const { read } = OwnLocale;
  Reflect.deleteProperty(OwnLocale, "read");
  for (const name of properties)
    Object.defineProperty(OwnLocale.prototype, name, {
      configurable: true,
      get(this: OwnLocale) {
        return read(this, name);
      },
    });
  for (const name of lists)
    Object.defineProperty(OwnLocale.prototype, name, {
      configurable: true,
      writable: true,
      value(this: OwnLocale) {
        return structuredClone((read(this, "lists") as Record<string, unknown>)[name]);
      },
    });
  Object.defineProperty(OwnLocale.prototype, Symbol.toStringTag, { value: "Intl.Locale", configurable: true });
  Object.defineProperty(OwnLocale, "name", { value: "Locale", configurable: true });
  return OwnLocale;
}

declare function structuredClone<T>(value: T): T;
