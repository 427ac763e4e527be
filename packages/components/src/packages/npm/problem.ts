import { cutText } from "@x/model";
import type { InstallProblem, ProblemKind, RootDependency } from "../messages.ts";

/** A problem with a package that the installer itself found. */
export class PackageProblem extends Error {
  readonly kind: ProblemKind;
  readonly package: string;
  readonly chain: readonly string[];

  constructor(kind: ProblemKind, packageName: string, chain: readonly string[], problem: string) {
    super(problem);
    this.kind = kind;
    this.package = packageName;
    this.chain = chain;
  }
}

interface LibraryError extends Error {
  readonly code?: string;
  readonly requiredBy?: string;
  readonly uri?: string;
  readonly pkgid?: string;
  /** The specifier that could not be resolved. */
  readonly package?: string;
  readonly wanted?: string;
  readonly type?: string;
  readonly distTags?: { readonly latest?: string };
  readonly name: string;
}

const unreachableCodes = new Set(
  (
    "ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH EPIPE ERR_SOCKET_TIMEOUT " +
    "EIDLETIMEOUT ECONNECTIONTIMEOUT ERESPONSETIMEOUT ETRANSFERTIMEOUT EMAXREDIRECT FETCH_ERROR ENOTCACHED " +
    "ERR_STREAM_PREMATURE_CLOSE E500 E502 E503 E504 E429 EPROTO"
  ).split(" "),
);

const isLibraryError = (error: unknown): error is LibraryError => error instanceof Error;

export const textOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  // An address may hold credentials.
  return (text.split("\n")[0] ?? "").replace(/\/\/[^/@\s]*@/g, "//").replace(/\.$/, "");
};

/** True when the registry did not answer, or its answer says nothing about the package. */
export const isUnreachable = (error: unknown): boolean =>
  isLibraryError(error) && error.code !== undefined && unreachableCodes.has(error.code);

function noSuchVersion({ type, wanted = "", distTags }: LibraryError): string {
  const what = type === "tag" ? `no tag "${wanted}"` : `no version ${wanted}`;
  const newest = distTags?.latest === undefined ? "" : `; the newest is ${distTags.latest}`;
  return `the registry has ${what} of it${newest}`;
}

const unwritable = "the package cache of the runtime cannot be written";

/** True for a problem of the cache, which only an operator can solve. */
export const isAboutCache = (problem: string): boolean => problem.startsWith(unwritable);

function classify(error: LibraryError): { kind: ProblemKind; problem: string } | undefined {
  const { code = "" } = error;
  const reason = textOf(error);
  if (isUnreachable(error)) return { kind: "unreachable", problem: reason };
  if (code === "E404") return { kind: "unresolved", problem: "the registry has no such package" };
  if (code === "ENOVERSIONS") return { kind: "unresolved", problem: "the registry has no version of it" };
  if (code === "ETARGET") return { kind: "unresolved", problem: noSuchVersion(error) };
  if (/^E40[13]$|^ENEEDAUTH$/.test(code)) {
    return { kind: "unresolved", problem: `the registry refuses access (${code}); check the token in your npmrc` };
  }
  if (code === "EINTEGRITY")
    return { kind: "integrity", problem: "its archive is not the one that the registry lists" };
  if (code.startsWith("EALLOW")) {
    const type = code.slice("EALLOW".length).toLowerCase();
    return { kind: "refused", problem: `it comes from a ${type} address, and packages come from registries only` };
  }
  if (/^(?:EUNSUPPORTEDPROTOCOL|EINVALIDPACKAGENAME|EINVALIDTAGNAME|EBADPLATFORM)$/.test(code))
    return { kind: "refused", problem: reason };
  if (/^(?:TAR_|Z_|ZLIB)/.test(code)) return { kind: "integrity", problem: `its archive cannot be read (${reason})` };
  // The path is not shown: it belongs to the server, not to the user who deploys.
  if (/^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT|ENOTDIR|EEXIST|EMFILE|ENAMETOOLONG)$/.test(code))
    return { kind: "unresolved", problem: `${unwritable} (${code})` };
  if (code === "ERESOLVE" || code === "EJSONPARSE") return { kind: "unresolved", problem: reason };
  return undefined;
}

/** Characters of a text of a registry, and names of a chain, that the host gets. */
const longestProblem = 2_000;
const longestName = 300;
const longestChain = 100;

/** What the host gets of a problem: registries write texts of any length. */
export const boundedProblem = ({ kind, package: about, chain, problem }: InstallProblem): InstallProblem => ({
  kind,
  package: cutText(about, longestName),
  chain: chain.slice(0, longestChain).map((name) => cutText(name, longestName)),
  problem: cutText(problem, longestProblem),
});

/** The package problem that an error of npm's libraries means; undefined when it is about something else. */
export function findProblem(error: unknown, roots: readonly RootDependency[]): InstallProblem | undefined {
  if (error instanceof PackageProblem)
    return { kind: error.kind, package: error.package, chain: error.chain, problem: error.message };
  if (!isLibraryError(error)) return undefined;
  const found = classify(error);
  if (!found) return undefined;
  const { package: about, chain } = subjectOf(error, roots);
  return { ...found, package: about, chain };
}

/** The package that an error is about, if known, and its importers. */
function subjectOf(error: LibraryError, roots: readonly RootDependency[]): { package: string; chain: string[] } {
  const parent = (error.requiredBy ?? "").split("node_modules/").slice(1).at(-1);
  const named = error.pkgid ?? nameOf(error.package) ?? fromUri(error.uri) ?? fromMessage(error.message);
  const root =
    roots.find(({ folder }) => parent === folder) ??
    roots.find(({ name }) => named === name || named?.startsWith(`${name}@`) === true) ??
    (roots.length === 1 ? roots[0] : undefined);
  const asked = root && `${root.name}@${root.spec}`;
  const about = ((named === root?.name ? asked : named) ?? asked ?? "package").replace(/@latest$/, "");
  const importer = root?.importer ?? roots[0]?.importer ?? "component";
  return { package: about, chain: parent === undefined ? [importer] : [importer, parent] };
}

const nameOf = (specifier = ""): string | undefined => /^(@?[^@]+)@/.exec(specifier)?.[1];

const fromUri = (uri: string | undefined): string | undefined => {
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const { pathname } = new URL(uri);
  const [path = ""] = pathname.replace(/%2f/gi, "/").split("/-/", 1);
  const [name, scope = ""] = path.split("/").filter(Boolean).toReversed();
  return name !== undefined && scope.startsWith("@") ? `${scope}/${name}` : name;
};

/** Messages of the libraries contain the URL or specifier that they could not read. */
const fromMessage = (message: string): string | undefined =>
  fromUri(/\bhttps?:\/\/[^\s,]+/.exec(message)?.[0]) ??
  /(?:^|\s)((?:@[\w.-]+\/)?[\w.-]+@[\w.^~*-]*[\w^~*-])/.exec(message)?.[1];
