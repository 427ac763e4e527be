import { defineComponent } from "@x/types";

/** The used parts of a package's full document. */
interface PackageDocument {
  readonly versions?: { readonly [version: string]: { readonly description?: string } };
  /** Version to time of publication. Only the full document has it. */
  readonly time?: { readonly [version: string]: string };
}

/** The stored state of a package between runs. */
interface Seen {
  readonly etag: string | null;
  /** Publication of the newest version seen, epoch milliseconds. */
  readonly newest: number;
}

interface Release {
  readonly version: string;
  readonly ts: number;
}

/** Published versions, oldest first; an unpublished version still has a time, but no entry in `versions`. */
function releasesOf({ versions = {}, time = {} }: PackageDocument): Release[] {
  return Object.entries(time)
    .filter(([version]) => Object.hasOwn(versions, version))
    .map(([version, published]) => ({ version, ts: Date.parse(published) }))
    .sort((a, b) => a.ts - b.ts);
}

/** The reason behind "fetch failed", on one line. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  return (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, " ").replace(/\.$/, "");
}

/** Polls an npm registry and emits each new version of the chosen packages once. */
export default defineComponent({
  name: "npm releases",
  version: "0.1.0",
  key: "example-npm-releases",
  description: "Emits new versions of npm packages",
  dedupe: "unique",
  props: {
    registry: { type: "string", label: "Registry", description: "URL of an npm registry" },
    packages: { type: "string[]", label: "Packages", description: "Names of the packages to watch" },
    latest: {
      type: "integer",
      label: "Versions at first",
      description: "How many versions of each package the first run emits",
      min: 0,
      optional: true,
      default: 3,
    },
    timer: { type: "$.interface.timer", label: "Poll", default: { intervalSeconds: 15 * 60 } },
    db: "$.service.db",
  },
  methods: {
    /** Makes a conditional request: `undefined` when the document is unchanged or missing. */
    async read(
      name: string,
      etag: string | null,
    ): Promise<{ document: PackageDocument; etag: string | null } | undefined> {
      const url = `${this.registry.replace(/\/+$/, "")}/${encodeURIComponent(name).replace("%40", "@")}`;
      // The abbreviated document (application/vnd.npm.install-v1+json) has no times.
      const headers = { accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) };
      const response = await fetch(url, { headers }).catch((error: unknown) => {
        throw new Error(`Cannot reach the npm registry: ${reasonOf(error)}`);
      });
      if (response.status === 304) return undefined;
      if (response.status === 404) {
        // oxlint-disable-next-line no-console -- the logs of a component are stored with its events
        console.warn(`The registry has no package "${name}"`);
        return undefined;
      }
      if (!response.ok) throw new Error(`The npm registry answered ${response.status} for package "${name}"`);
      return { document: (await response.json()) as PackageDocument, etag: response.headers.get("etag") };
    },
    emitRelease(name: string, { version, ts }: Release): void {
      const id = `${name}@${version}`;
      void this.$emit({ name, version, published: new Date(ts).toISOString() }, { id, summary: id, ts });
    },
  },
  async run() {
    for (const name of this.packages) {
      const seen = this.db.get<Seen>(name);
      const answer = await this.read(name, seen?.etag ?? null);
      if (!answer) continue;
      const releases = releasesOf(answer.document);
      const fresh = seen
        ? releases.filter(({ ts }) => ts > seen.newest)
        : releases.slice(Math.max(0, releases.length - this.latest));
      for (const release of fresh) this.emitRelease(name, release);
      const remembered: Seen = { etag: answer.etag, newest: releases.at(-1)?.ts ?? seen?.newest ?? 0 };
      this.db.set(name, remembered);
    }
  },
});
