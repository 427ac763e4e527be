import { systemClock, type Runtime, XError } from "@x/runtime";

import { type Answer, isForeign, ownHosts } from "@x/http";
import { createInspectorPages, endpointPolicy } from "./pages.ts";
import { createSessions, type Sessions } from "./sessions.ts";

/** How the inspector is served. */
export interface InspectorOptions {
  /** Host names by which the service is reached, besides localhost and addresses. */
  readonly hosts?: readonly string[];
}

/** The web application of a service: its pages and their sessions. */
export interface Inspector {
  readonly sessions: Sessions;
  /** The page or file of a path; undefined for other paths. Throws `foreign_request` for the host of another site. */
  page(path: string, request: Request): Answer | undefined;
  /** Throws `foreign_request` unless the request was made by a page of this service, or by no page. */
  checkOwn(headers: Headers): void;
  /** An answer of a component, which shares the origin of the pages unless the endpoint has a host of its own. */
  contain(answer: Answer): Answer;
  /** The path of the inspector with a new sign-in token. */
  signInPath(): string;
}

const shown = (text: string | null): string => JSON.stringify((text ?? "").slice(0, 100));

/** The inspector of these options; undefined when it is off. */
export function openInspector(
  runtime: Runtime,
  given: boolean | InspectorOptions | undefined,
  mountPath: string,
): Inspector | undefined {
  if (given === undefined || given === false) return undefined;
  return createInspector(runtime, given === true ? {} : given, mountPath);
}

function createInspector(runtime: Runtime, { hosts = [] }: InspectorOptions, mountPath: string): Inspector {
  const isOwn = ownHosts(hosts);
  const pages = createInspectorPages(mountPath);
  const sessions = createSessions({ runtime, now: systemClock.now });

  function checkHost(headers: Headers): void {
    const host = headers.get("host");
    if (!isOwn(host)) throw new XError("foreign_request", ["Host", "a name or address of this service", shown(host)]);
  }

  return {
    sessions,
    page(path, request) {
      const found = pages.find(path, request.headers);
      if (found) checkHost(request.headers);
      return found;
    },
    checkOwn(headers) {
      checkHost(headers);
      if (isForeign(headers))
        throw new XError("foreign_request", ["Origin", "that of this service", shown(headers.get("origin"))]);
    },
    contain: (answer) => ({ ...answer, headers: [...answer.headers, ["content-security-policy", endpointPolicy]] }),
    signInPath: () => `${mountPath}/#/sign-in?token=${sessions.issueToken().token}`,
  };
}
