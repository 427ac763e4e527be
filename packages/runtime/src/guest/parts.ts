import { hostOp } from "../sandbox/ops.ts";
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

/** What is evaluated at its first use, so that it costs the realm of a component without it nothing. */
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

/** Gives the parts what they need of the prelude. */
export function connectParts(given: Kit): void {
  kit = given;
}

/** Parts under evaluation: a library looks whether the realm has already what it defines. */
const loading = new Set<keyof Parts>();

/** A part; evaluated when it is asked for the first time in this realm. */
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

/** Whether a part has been evaluated: if not, nothing of its classes exists. */
export const hasPart = (name: keyof Parts): boolean => loaded[name] !== undefined;

const replace = (target: object, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
};

/** Defines a property that is made at its first reading; an assignment replaces it. */
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

/** The same for what a part gives; while the part is evaluated, the properties read as undefined. */
export function definePart<Name extends keyof Parts>(
  target: object,
  names: string,
  from: Name,
  pick: (given: Parts[Name], name: string) => unknown,
): void {
  const make = (name: string): unknown => (loading.has(from) ? undefined : pick(part(from), name));
  for (const name of names.split(",")) defineLazy(target, name, make);
}
