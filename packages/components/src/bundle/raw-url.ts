/** A pattern of pages that show a file, and the path of the file itself. */
interface FilePage {
  /** Absent: any host, for self-hosted servers. */
  readonly host?: RegExp;
  readonly path: RegExp;
  readonly rawHost?: string;
  readonly rawPath: string;
}

const filePages: readonly FilePage[] = [
  {
    host: /^(?:www\.)?github\.com$/,
    path: /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/,
    rawHost: "raw.githubusercontent.com",
    rawPath: "/$1/$2/$3",
  },
  { path: /^\/(.+)\/-\/blob\/(.+)$/, rawPath: "/$1/-/raw/$2" },
  { host: /^gitlab\.com$/, path: /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/, rawPath: "/$1/$2/-/raw/$3" },
  { host: /^bitbucket\.org$/, path: /^\/([^/]+)\/([^/]+)\/src\/(.+)$/, rawPath: "/$1/$2/raw/$3" },
];

/** The URL of a file's content for the URL of a page that shows it; any other URL as it is. Without a fragment. */
export function rawUrl(url: URL): URL {
  const raw = new URL(url);
  raw.hash = "";
  const page = filePages.find(({ host, path }) => (host?.test(url.hostname) ?? true) && path.test(url.pathname));
  if (!page) return raw;
  raw.pathname = url.pathname.replace(page.path, page.rawPath);
  if (page.rawHost !== undefined) raw.host = page.rawHost;
  return raw;
}
