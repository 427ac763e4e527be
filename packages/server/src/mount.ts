import { XError } from "@x/runtime";

const wellFormed = /^(?:\/[\w.~-]+)+$/;

/** The path that a service is mounted at: empty, or with a leading slash and none at its end. */
export function parseMountPath(path = ""): string {
  if (path === "" || wellFormed.test(path)) return path;
  throw new XError("invalid_options", ["mountPath", "a path such as /events", JSON.stringify(path)]);
}

/** The URL as the service knows it; a router around it may have taken the path off already. */
export function belowMount(url: URL, mountPath: string): URL {
  if (mountPath === "" || !`${url.pathname}/`.startsWith(`${mountPath}/`)) return url;
  const below = new URL(url);
  below.pathname = url.pathname.slice(mountPath.length);
  return below;
}
