import { isUtf8 } from "node:buffer";

import { XError, deadlineAfter, hasLongHost, longerThan, maxHostChars, type Limits } from "@x/model";
import type { GuestReply, GuestRequest } from "@x/sandbox";
import type { Bundled, Bundler, MissingFile, PackageUse } from "../contract.ts";
import { rawUrl } from "./raw-url.ts";
import { filesFactor } from "./source-set.ts";

export interface UrlBundlerOptions {
  readonly bundler: Bundler;
  /** Resolves to responses of at most `codeBytes`. */
  readonly fetch: (request: GuestRequest, signal: AbortSignal) => Promise<GuestReply>;
  /** The rule that forbids a URL; undefined when it is allowed. */
  readonly forbidden: (url: string) => string | undefined;
  readonly limits: Pick<Limits, "codeBytes" | "codeFiles" | "codeFetchTimeoutMs">;
}

/** The URL for messages: without credentials and query, which may contain keys. */
const shown = (url: URL): string => `${url.origin}${url.pathname}`;

const failed = (url: URL, problem: string, cause?: unknown): XError<"component_url_failed"> =>
  new XError("component_url_failed", [shown(url), problem], { details: { url: shown(url), problem }, cause });

/**
 * Bundles the code at a URL, with its relative imports from the same origin. Rejects with `invalid_parameter`,
 * `address_forbidden` or `component_url_failed` beside the errors of bundling.
 */
export function createUrlBundler(options: UrlBundlerOptions): (url: string, packages?: PackageUse) => Promise<Bundled> {
  const { bundler, limits } = options;

  async function fetchFile(url: URL, signal: AbortSignal): Promise<{ reply: GuestReply; problem?: string }> {
    try {
      const request: GuestRequest = { url: url.href, method: "GET", headers: [], body: undefined, redirect: "follow" };
      const reply = await options.fetch(request, signal);
      const problem = problemOf(reply);
      return problem === undefined ? { reply } : { reply, problem };
    } catch (error) {
      if (signal.aborted) throw failed(url, `not all of it came within ${limits.codeFetchTimeoutMs} ms`, error);
      throw failed(url, reasonOf(error), error);
    }
  }

  async function bundleUntil(signal: AbortSignal, given: string, packages: PackageUse | undefined): Promise<Bundled> {
    const url = rawUrl(parseUrl(given));
    const rule = options.forbidden(url.href);
    if (rule !== undefined) {
      const details = { parameter: "url", host: url.hostname };
      throw new XError("address_forbidden", [url.hostname, rule], { details });
    }
    const { reply, problem } = await fetchFile(url, signal);
    if (problem !== undefined) throw failed(url, problem);

    const home = new URL(reply.url);
    // Credentials go only to the origin that they were given for.
    const userInfo = home.origin === url.origin ? [url.username, url.password] : ["", ""];
    const texts = new Map<string, string>();
    const links = new Map<string, string>();
    let bytes = 0;
    const keep = (name: string, body: Uint8Array): void => {
      const text = Buffer.from(body).toString("utf8");
      const known = texts.get(name) ?? text;
      // Redirects may lead to one path with different queries, and files may change while they are fetched.
      if (known !== text) throw failed(new URL(`/${name}`, home), "it gave two different files");
      if (texts.has(name)) return;
      bytes += body.length;
      if (bytes > limits.codeBytes * filesFactor)
        throw failed(url, `its files are larger than ${limits.codeBytes * filesFactor} bytes together`);
      texts.set(name, text);
    };

    const collect = async ({ asked, importer, candidates }: MissingFile): Promise<void> => {
      let firstFailure: XError | undefined;
      for (const candidate of candidates) {
        const wanted = new URL(`${home.origin}/${candidate}`);
        [wanted.username = "", wanted.password = ""] = userInfo;
        const file = await fetchFile(wanted, signal);
        if (file.problem === undefined) {
          const found = new URL(file.reply.url);
          if (found.origin !== home.origin)
            throw failed(wanted, `it leads to ${found.origin}, and relative imports stay on ${home.origin}`);
          const name = nameOf(found);
          keep(name, file.reply.body);
          links.set(asked, name);
          return;
        }
        firstFailure ??= failed(wanted, `${importer} imports it, and ${file.problem}`);
        if (file.reply.status >= 500) break;
      }
      throw firstFailure ?? failed(url, `nothing answers to "${asked}"`);
    };

    const entry = nameOf(home);
    links.set(entry, entry);
    keep(entry, reply.body);
    for (;;) {
      const built = await bundler.bundleFetched({ entry, texts, links }, packages);
      if (!("missing" in built)) return built;
      if (links.size + built.missing.length > limits.codeFiles)
        throw failed(url, `it is made of more than ${limits.codeFiles} files`);
      await Promise.all(built.missing.map(collect));
    }
  }

  return async (given, packages) => {
    const { signal, letGo } = deadlineAfter(limits.codeFetchTimeoutMs);
    return await bundleUntil(signal, given, packages).finally(letGo);
  };
}

function parseUrl(given: string): URL {
  const url = !hasLongHost(given) && URL.canParse(given) ? new URL(given) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  const other = hasLongHost(given) ? `a host ${longerThan(maxHostChars)}` : JSON.stringify(given.slice(0, 100));
  const got = url ? `a URL that begins with ${url.protocol}` : other;
  const expected = "an absolute http or https URL";
  throw new XError("invalid_parameter", ["url", expected, got]);
}

/** The path without its first slash; for a folder, the path of its main module. */
const nameOf = ({ pathname }: URL): string => (pathname.endsWith("/") ? `${pathname}component.js` : pathname).slice(1);

function problemOf({ status, headers, body, cut }: GuestReply): string | undefined {
  if (cut) return cut.message;
  if (status < 200 || status > 299) return `it answered with status ${status}`;
  if (!isUtf8(body)) return "it is not UTF-8 text";
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const isPage = /^text\/html\b/i.test(type) && /^\s*</.test(Buffer.from(body.subarray(0, 100)).toString());
  return isPage ? "it answered with an HTML page; give the URL of the code itself" : undefined;
}

function reasonOf(error: unknown): string {
  if (!XError.is(error)) return "the request failed";
  const { problem } = error.details;
  return typeof problem === "string" ? problem : error.message.replace(/\.$/, "");
}
