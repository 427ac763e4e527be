import { XError, stackPlaces, type ComponentPackage } from "@x/model";
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
];

/** The message of the error, with the need of the package when it is known. */
function explained(thrown: string, about: string): string {
  const need = needs.find(([name]) => name.test(about))?.[1];
  if (need !== undefined) return `${thrown}; ${need}`;
  return ofPages.test(thrown) ? `${thrown}; it needs a web page, and components have none` : thrown;
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
  const about =
    last === undefined ? (ofLimits.test(thrown) && asked !== "" ? asked : undefined) : ownerOf(last, packages);
  if (about === undefined) return undefined;
  const problem = explained(thrown, about);
  // A module that is bundled into its importer has no frame of its own.
  const above = files[0] !== undefined && ownerOf(files[0], packages) !== undefined ? [name, ...files] : known;
  return new XError("package_failed", [about, above.join(" -> "), problem], {
    details: { ...error.details, errors: [{ path: "", message: problem }], package: about, chain: [...above, about] },
    cause: error,
  });
}
