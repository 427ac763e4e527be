/** Errors of a component, which its author can fix. */
export const componentErrors = {
  bundle_failed: {
    text: (name: string, problem: string): string => `Component ${name} cannot be bundled: ${problem}`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The code and its imports cannot be bundled.",
    cause:
      "A syntax error, an import of a missing file or one outside the root, a forbidden kind of import, or more code than the limit.",
    fix: "The message has file:line:column. Code sent over REST cannot import files: use x publish, x serve or x dev.",
  },
  package_unresolved: {
    text: (name: string, importer: string, problem: string): string =>
      `Package "${name}" imported by ${importer} cannot be resolved: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "A package that the code imports cannot be found.",
    cause:
      "The registry has no such package or version, it cannot be reached and the cache does not have the package, or packages are disabled (--packages off).",
    fix: "Check the name and the version after @. The registry and its token come from your npmrc: try npm view NAME. Packages that were deployed once work offline.",
  },
  package_refused: {
    text: (name: string, importer: string, problem: string): string =>
      `Package "${name}" imported by ${importer} is refused: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The component uses a form of package name that is not allowed.",
    cause:
      "An import, a package.json beside the component or a dependency names a file, a git repository, an archive or an alias, or a file that is not code.",
    fix: "Import packages of a registry by name: axios or axios@^1.7.0. Install beside the component what its package.json has from elsewhere. The message has the chain of imports.",
  },
  package_too_large: {
    text: (name: string, importer: string, problem: string): string =>
      `Package "${name}" imported by ${importer} is too large: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The packages of a component, or its bundle with them, are larger than the limit.",
    cause: "A package with many dependencies or much code, such as the client of a whole cloud.",
    fix: "Import the smallest sufficient package or sub-path (lodash/get, @googleapis/drive), or raise the limit in createRuntime.",
  },
  package_integrity: {
    text: (name: string, importer: string, problem: string): string =>
      `Package "${name}" imported by ${importer} cannot be trusted: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The archive of a package does not match its integrity, so it was not used.",
    cause:
      "It was changed after the version was pinned, it was damaged by the network or a proxy, or the public registry lists no integrity for it.",
    fix: "Deploy again. If the error stays, the version was republished: import another one.",
  },
  package_native: {
    text: (name: string, importer: string, problem: string): string =>
      `Package "${name}" imported by ${importer} is native code: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "A package needs native code.",
    cause: "Components run in a sandbox that cannot load native addons.",
    fix: "Use a package in plain JavaScript with the same function.",
  },
  package_failed: {
    text: (name: string, importer: string, problem: string): string =>
      `Package "${name}" imported by ${importer} cannot be loaded: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "A package throws, or takes too much time or memory, while it loads.",
    cause:
      "It needs a web page (document, window) or a socket, which components do not have, or it has so much code that parsing takes seconds.",
    fix: "The message has its error and the chain of imports. Import a smaller version or sub-path of it (googleapis -> @googleapis/drive), or another package.",
  },
  additional_props_failed: {
    text: (name: string, problem: string): string => `additionalProps of component ${name} failed: ${problem}`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The component's additionalProps threw or returned invalid props.",
    cause: "A request in it failed, or a prop in its result has an unknown type.",
    fix: "The message has its error. Try it with POST /v1/components/props and the same configured_props.",
  },
  invalid_result: {
    text: (entry: string, expected: string, got: string): string => `${entry} must return ${expected}, got ${got}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "A function of the component returned a value of the wrong form.",
    cause: "options must return a list or {options, context}; additionalProps must return an object of props.",
    fix: "Return the value that the message describes.",
  },
  hook_failed: {
    text: (hook: string, problem: string): string => `Hook "${hook}" failed: ${problem}`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "A hook (deploy, activate or deactivate) threw, so the change was not made.",
    cause: "Usually a request to the app failed: wrong credentials, or a webhook URL that the app cannot reach.",
    fix: "The message has the hook's error and its stack. x sources rm ID --force deletes in spite of deactivate.",
  },
  event_names_failed: {
    text: (prop: string, name: string, problem: string): string =>
      `eventNames of prop "${prop}" of component ${name} gave no names: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The function that says which events of an app a source listens to threw, or returned something else.",
    cause: "An error in eventNames, or a result that is not a list of at most 1,000 names of at most 200 characters.",
    fix: "The message and the stack are those of the component; lines refer to your files. Return a list of texts.",
  },
  component_url_failed: {
    text: (url: string, problem: string): string => `Component URL ${url} cannot be read: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The code at a component_url could not be fetched.",
    cause: "The server did not answer 2xx, redirected too often, or sent too much.",
    fix: "Open the URL yourself. If it is inside your network, start the service with --network allow-private.",
  },
  component_threw: {
    text: (entry: string, problem: string): string => `${entry} threw: ${problem}`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The component's code threw an error.",
    cause: "The message and the stack are those of the component; lines refer to your files.",
    fix: "Look at the first line of the stack. x run FILE --event JSON repeats a run in memory.",
  },
  account_missing: {
    text: (id: string, prop: string, app: string): string =>
      `Account "${id}" of prop "${prop}" does not exist; connect an account of app "${app}" and configure the prop with it.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "A prop is configured with an account that no longer exists.",
    cause: "The account was deleted with force while the source used it.",
    fix: "x accounts add APP, then x sources update ID --account APP=NAME.",
  },
  account_failed: {
    text: (id: string, app: string, problem: string): string =>
      `The credentials of account "${id}" of app "${app}" are not available: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The credentials of an account cannot be had now.",
    cause:
      "Its token has expired and the authorization server could not be reached or refused the client; or the accounts callback of the embedding program threw, or returned no JSON object.",
    fix: "The next run tries again. Check the app's client with x apps ls; of a callback, only the log of the runtime has the error.",
  },
  account_disconnected: {
    text: (id: string, app: string, problem: string, repair: string): string =>
      `Account "${id}" of app "${app}" has to be connected again: ${problem}. Run ${repair}`,
    audience: "author",
    status: 422,
    exit: "component",
    meaning: "The authorization server no longer renews the token of the account.",
    cause: "Access was revoked, the refresh token expired or was used elsewhere, or there never was one.",
    fix: "x accounts connect APP --account ID connects it again: it keeps its id, and sources go on with it.",
  },
  no_response: {
    text: (respond: string): string => `run ended without ${respond}, which customResponse: true requires.`,
    audience: "author",
    status: 500,
    exit: "component",
    meaning: "A component with customResponse: true ended without a response; the client got 500.",
    cause: "A path through run on which this.http.respond() is not called, or is called too late.",
    fix: "Call respond on every path, also after an error; or remove customResponse: then 200 is sent at once.",
  },
  sandbox_timeout: {
    text: (entry: string, ms: string): string => `${entry} ran longer than ${ms} ms and was stopped.`,
    audience: "author",
    status: 422,
    exit: "limit",
    errorName: "TimeoutError",
    meaning: "The code exceeded its time limit and was stopped. Its earlier emits are kept.",
    cause: "An endless loop, a request that hangs, or too much work for one run.",
    fix: "Do less per run and keep a cursor in $.service.db, or allow more with --run-timeout, limits.runTimeoutMs in createRuntime.",
  },
  sandbox_out_of_memory: {
    text: (entry: string, limit: string): string => `${entry} needed more memory than ${limit} bytes and was stopped.`,
    audience: "author",
    status: 422,
    exit: "limit",
    errorName: "MemoryError",
    meaning: "The code exceeded its memory limit and was stopped.",
    cause: "A list or text that grows without bounds, or a large download in memory.",
    fix: "Read page by page and emit as you go, or allow more with --memory, limits.memoryBytes in createRuntime.",
  },
  sandbox_crashed: {
    text: (entry: string, problem: string): string => `${entry} broke its sandbox and was stopped: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "environment",
    errorName: "Error",
    meaning: "The code broke its sandbox; only this run is affected.",
    cause: "Very deep recursion, or a bug in the sandbox.",
    fix: "Look for endless recursion. If there is none, please report the component as a bug.",
  },
  trigger_abandoned: {
    text: (id: string, crashes: string): string =>
      `Trigger "${id}" was running at ${crashes} crashes of the process and was taken out of the inbox.`,
    audience: "author",
    status: 500,
    exit: "environment",
    meaning: "An event was being handled each time the process ended, and is not tried again.",
    cause: "The process was killed (memory, SIGKILL) several times while this event ran.",
    fix: "Look at the original_event in the $errors record; it may be the reason. Run it again with x run.",
  },
  transition_abandoned: {
    text: (kind: string, id: string, crashes: string): string =>
      `The ${kind} of source "${id}" was abandoned: ${crashes} times the process ended while one of its hooks ran.`,
    audience: "author",
    status: 500,
    exit: "environment",
    meaning:
      "A change of a source was abandoned, because the process ended each time one of its hooks ran; the source is inactive.",
    cause: "The process was killed (memory, SIGKILL) several times while this hook ran.",
    fix: "Check whether the hook ends the process. Then update or delete the source; check what it has registered with other services.",
  },
  subscription_loop: {
    text: (hops: string): string =>
      `The event that led here came through ${hops} subscriptions and calls of endpoints one after another; the chain ends here.`,
    audience: "author",
    status: 422,
    exit: "environment",
    meaning: "Sources trigger each other in a circle; the chain was ended.",
    cause:
      "A subscription leads from a source back to itself, perhaps through other sources or calls of their endpoints.",
    fix: "Remove one of the subscriptions, or let run ignore events that it caused.",
  },
  events_dropped: {
    text: (count: string, emitters: string, limit: string): string =>
      `${count} events of ${emitters} were not delivered to this source: its inbox was full (${limit}).`,
    audience: "author",
    status: 422,
    exit: "environment",
    meaning: "Events that a source subscribes to were not delivered to it.",
    cause: "They arrived faster than the source runs, and its inbox was full.",
    fix: "Make run faster, or subscribe to fewer events; the limits are inboxPerSource and inboxBytesPerSource. The emitter still lists its last events.",
  },
  delivery_failed: {
    text: (webhook: string, attempts: string, problem: string): string =>
      `Delivery to webhook "${webhook}" failed after ${attempts} attempts: ${problem}`,
    audience: "author",
    status: 422,
    exit: "environment",
    meaning: "An event could not be delivered to a webhook, after every attempt.",
    cause: "The URL did not answer 2xx, did not answer in time, or is not allowed by the network rules.",
    fix: "The message has the last response. Fix the receiver, then redeliver: POST /v1/webhooks/ID/deliveries/ID/redeliver.",
  },
  address_forbidden: {
    text: (address: string, rule: string): string => `Address ${address} is not allowed: ${rule}.`,
    audience: "author",
    status: 400,
    exit: "environment",
    meaning:
      'A request was refused, because its address is not allowed for components; they get "fetch failed" with this cause.',
    cause: "Loopback, private and link-local addresses are forbidden by default.",
    fix: 'Start it with --network allow-private, network: { mode: "allow-private" } in createRuntime, if you trust all its components.',
  },
  requests_too_large: {
    text: (limit: string): string =>
      `The running requests hold more than ${limit} bytes; await some of them before the next.`,
    audience: "author",
    status: 422,
    exit: "environment",
    meaning:
      'A request of a component was not sent, because its running requests hold too many bytes; it gets "fetch failed" with this cause.',
    cause: "Unsent bodies, and responses that the component has not read, count against its memory.",
    fix: "Await some requests before the next, or give the source more memory.",
  },
  network_failed: {
    text: (url: string, problem: string): string => `Request to ${url} failed: ${problem}.`,
    audience: "author",
    status: 422,
    exit: "environment",
    meaning: 'A request of a component got no response; it gets "fetch failed" with this cause.',
    cause: "An unknown host, a refused connection, a certificate that is not valid, or no network at all.",
    fix: "The message has the reason. Try the same URL with curl from the same machine.",
  },
  db_value_too_large: {
    text: (key: string, limit: string, got: string): string =>
      `Value of key "${key}" must be at most ${limit} bytes of JSON, got ${got}.`,
    audience: "author",
    status: 400,
    exit: "usage",
    meaning: "A value is too large for $.service.db or a data store.",
    cause: "Both are for cursors and small state, not for whole responses.",
    fix: "Store ids or a hash instead, or spread the values over several keys.",
  },
  data_store_too_large: {
    text: (name: string, limit: string, got: string): string =>
      `Data store "${name}" may have at most ${limit}, this write makes it ${got}.`,
    audience: "author",
    status: 400,
    exit: "usage",
    meaning: "A data store would exceed its size limit.",
    cause: "Runs add entries, and nothing removes them.",
    fix: "Delete old entries: await this.store.delete(key). Use several data stores for values of different kinds.",
  },
} as const;
