import { hostOp } from "../ops.ts";
import { loadCode } from "./host.ts";
import type { Kit } from "./kit.ts";
import type createCompression from "./parts/compression.ts";
import type createBuffer from "./parts/buffer.ts";
import type createForms from "./parts/forms.ts";
import type createIntl from "./parts/intl.ts";
import type createProposals from "./parts/proposals.ts";
import type createRare from "./parts/rare.ts";
import type createSubtle from "./parts/subtle.ts";
import type createStreams from "./parts/streams.ts";
import type createUrlPattern from "./parts/url-pattern.ts";

/** Code that is evaluated at its first use, so that it costs realms that do not use it nothing. */
export interface Parts {
  readonly buffer: ReturnType<typeof createBuffer>;
  readonly compression: ReturnType<typeof createCompression>;
  readonly forms: ReturnType<typeof createForms>;
  readonly intl: ReturnType<typeof createIntl>;
  readonly proposals: ReturnType<typeof createProposals>;
  readonly rare: ReturnType<typeof createRare>;
  readonly streams: ReturnType<typeof createStreams>;
  readonly subtle: ReturnType<typeof createSubtle>;
  readonly "url-pattern": ReturnType<typeof createUrlPattern>;
}

let kit: Kit | undefined;
const loaded: Partial<Record<keyof Parts, unknown>> = {};

/** Sets the functions of the prelude that parts use. */
export function connectParts(given: Kit): void {
  kit = given;
}

/** Parts under evaluation: polyfills test whether the realm has their globals. */
const loading = new Set<keyof Parts>();

/** A part; evaluates it at its first use in this realm. */
export function part<Name extends keyof Parts>(name: Name): Parts[Name] {
  if (loaded[name] === undefined) {
    loading.add(name);
    try {
      loaded[name] = loadCode<(given: Kit | undefined) => unknown>(hostOp.part, name)(kit);
    } finally {
      loading.delete(name);
    }
  }
  return loaded[name] as Parts[Name];
}

/** Whether a part has been evaluated; otherwise no object of its classes exists. */
export const hasPart = (name: keyof Parts): boolean => loaded[name] !== undefined;

const replace = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
};

/** Defines a property whose value is created at its first read; an assignment replaces it. */
export function defineLazy(target: object, name: string, make: (name: string) => unknown): void {
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: false,
    get() {
      const value = make(name);
      if (typeof value === "function" && Object.getOwnPropertyDescriptor(value, "name")?.configurable)
        Object.defineProperty(value, "name", { value: name, configurable: true });
      if (value !== undefined) replace(target, name, value);
      return value;
    },
    set(value) {
      replace(target, name, value);
    },
  });
}

/** Defines lazy properties with values of a part; during the part's evaluation they are undefined. */
export function definePart<Name extends keyof Parts>(
  target: object,
  names: string,
  from: Name,
  pick: (given: Parts[Name], name: string) => unknown,
): void {
  const make = (name: string): unknown => (loading.has(from) ? undefined : pick(part(from), name));
  for (const name of names.split(",")) defineLazy(target, name, make);
}
