import { XError, notExplained, stackPlaces, type ComponentPackage } from "@x/model";
import { absentText, stubPrefix } from "./absent-import.ts";
import type { AbsentImport, Bundled } from "../contract.ts";

const codes = { absent: "package_unresolved", native: "package_native", refused: "package_refused" } as const;
const ofPages = /^.*ReferenceError: '?(?:document|window|XMLHttpRequest|HTMLElement|DOMParser|localStorage|Image)\b/;
/** Messages of the sandbox itself. */
const ofLimits = /^Error: (?:Evaluating the module |.*no memory left$)/;

/** Packages whose error does not name what they really lack. */
const needs: readonly (readonly [name: RegExp, need: string])[] = [
  [
    /^ssh2(?:-|$)|^node-ssh$/,
    "it opens SSH connections, and components have no sockets; use an HTTP API for the files or commands",
  ],
  [
    /ffmpeg|ffprobe|^(?:puppeteer|playwright)(?:-|$)/,
    "it starts a program, and components start none; use a service that does the work over HTTP",
  ],
  [/^sharp$/, "it runs native code, and components run none; use a package in JavaScript, or a service over HTTP"],
];

const needOf = (name: string): string | undefined => needs.find(([pattern]) => pattern.test(name))?.[1];

/** The message of the error, with the need of the package when it is known, or else that of a package below it. */
function explained(thrown: string, about: string, below: readonly string[]): string {
  const need = needOf(about);
  if (need !== undefined) return `${thrown}; ${need}`;
  const needing = below.find((name) => needOf(name) !== undefined);
  if (needing !== undefined) return `${thrown}; ${needing} is among its packages: ${needOf(needing)}`;
  return ofPages.test(thrown) ? `${thrown}; it needs a web page, and components have none` : thrown;
}

/** What to do when a package reads a file beside its code. */
function ownFileHint(thrown: string, about: string): { readonly hint?: string } {
  if (!thrown.includes("Error: ENOENT: ")) return {};
  const file = thrown.split("'").at(-2)?.replace(/^\/+/, "");
  if (file === undefined || /^tmp(?:\/|$)/.test(file)) return {};
  return {
    hint: `${about} reads ${file}, a file of its own, and only code and JSON that are imported are bundled: use a version or a package that imports its data, or send the requests with fetch`,
  };
}

/** Files of the stack's frames, outermost first, without duplicates. */
function filesOf(stack: string): string[] {
  const files = stackPlaces(stack).map(({ file }) => file);
  return [...new Set(files.toReversed())].filter((file) => !file.startsWith(stubPrefix));
}

const withoutStubs = (stack: string): string =>
  stack
    .split("\n")
    .filter((line) => !line.includes(stubPrefix))
    .join("\n");

/** The package that a file, named as in stacks, belongs to. */
const ownerOf = (file: string, packages: readonly ComponentPackage[]): string | undefined =>
  packages.find(({ name, version }) => file.startsWith(`${name}/`) || file.startsWith(`${name}@${version}/`))?.name;

/** The error of a missing import that a module needs. */
function absentError(
  { specifier, importer, reason, why }: AbsentImport,
  files: readonly string[],
  packages: readonly ComponentPackage[],
  error: XError,
  stack: string,
): XError {
  // For a loader of native code, the package is its importer.
  const about = (why === "native" || /^[./#]/.test(specifier) ? ownerOf(importer, packages) : undefined) ?? specifier;
  const above = files.at(-1) === importer ? files : [...files, importer];
  const problem = why === "native" ? `${importer} loads ${specifier}, which ${reason.replace(/^it /, "")}` : reason;
  return new XError(codes[why], [about, above.join(" -> "), problem], {
    details: {
      ...error.details,
      stack: withoutStubs(stack),
      errors: [{ path: "", message: problem }],
      package: about,
      chain: [...above, specifier],
      reason: why,
    },
    cause: error,
  });
}

/**
 * The error of a package that made a module fail to load: an import is missing, it threw, or all packages together took
 * too long or too much memory. Undefined when the component itself failed.
 */
export function findFailedPackage(
  error: unknown,
  { packages = [], absent = [] }: Pick<Bundled, "packages" | "absent">,
  name: string,
): XError | undefined {
  if (!XError.is(error) || !("reason" in error.details)) return undefined;
  const stack = typeof error.details["stack"] === "string" ? error.details["stack"] : "";
  const files = filesOf(stack);
  const known = files.length === 0 ? [name] : files;
  const found = absent.find((each) => error.message.includes(absentText(each)));
  if (found) return absentError(found, known, packages, error, stack);
  const last = files.at(-1);
  const asked = packages.flatMap(({ requested }) => (requested === undefined ? [] : [requested])).join(", ");
  const thrown = error.details.errors?.[0]?.message ?? "";
  // The maps of very large packages are not read.
  const isUnknown = last === undefined ? ofLimits.test(thrown) : stack.includes(notExplained);
  const about = isUnknown && asked !== "" ? asked : last === undefined ? undefined : ownerOf(last, packages);
  if (about === undefined) return undefined;
  const problem = explained(thrown, about, isUnknown ? packages.map((each) => each.name) : []);
  // A module that is bundled into its importer has no frame of its own.
  const above = isUnknown
    ? [name]
    : files[0] !== undefined && ownerOf(files[0], packages) !== undefined
      ? [name, ...files]
      : known;
  return new XError("package_failed", [about, above.join(" -> "), problem], {
    details: {
      ...error.details,
      ...ownFileHint(thrown, about),
      errors: [{ path: "", message: problem }],
      package: about,
      chain: [...above, about],
    },
    cause: error,
  });
}
