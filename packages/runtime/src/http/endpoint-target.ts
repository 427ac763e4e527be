/** The target of a request to an HTTP endpoint: its key, and the path below it. */
export interface EndpointTarget {
  readonly key: string;
  readonly path: string;
  /** True when the endpoint has a host name of its own, and so an origin of its own. */
  readonly ownHost: boolean;
}

const byPath = /^\/in\/([^/]+)(\/.*)?$/;
const byHost = /^([0-9a-z]{26,63})\.localhost$/;

/** The endpoint of a URL, in the path form or the host form; undefined for other URLs. */
export function findEndpoint({ hostname, pathname }: Pick<URL, "hostname" | "pathname">): EndpointTarget | undefined {
  const host = byHost.exec(hostname);
  if (host?.[1]) return { key: host[1], path: pathname, ownHost: true };
  const path = byPath.exec(pathname);
  return path?.[1] ? { key: path[1], path: path[2] ?? "/", ownHost: false } : undefined;
}
