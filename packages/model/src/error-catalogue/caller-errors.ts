/** Errors of a request or a call of the runtime, which its sender can fix. */
export const callerErrors = {
  missing_parameter: {
    text: (name: string, expected: string): string => `Parameter "${name}" is missing; expected ${expected}.`,
    audience: "client",
    status: 400,
    exit: "usage",
    meaning: "A request lacks a parameter that it needs.",
    cause: "A field of the JSON body or a query parameter was left out, or is spelled differently.",
    fix: "Add the parameter that the message names. GET /docs of the service shows what each request takes.",
  },
  invalid_parameter: {
    text: (name: string, expected: string, got: string): string =>
      `Parameter "${name}" must be ${expected}, got ${got}.`,
    audience: "client",
    status: 400,
    exit: "usage",
    meaning: "A parameter of a request has an invalid value.",
    cause: "A wrong type, a number out of bounds, or a cursor that is not from page_info.",
    fix: "The message has the expected and the received value; details.errors lists every problem with its path.",
  },
  project_changed: {
    text: (name: string, stored: string, given: string): string =>
      `The record of project ${name} has revision ${stored}, and the request replaces revision ${given}.`,
    audience: "client",
    status: 409,
    exit: "environment",
    meaning: "The record of a project changed between reading and replacing it.",
    cause: "Two x apply of the same project at the same time.",
    fix: "Run x apply again: it reads the record anew, and makes what is still to do.",
  },
  invalid_json: {
    text: (problem: string): string => `The body is not valid JSON: ${problem}.`,
    audience: "client",
    status: 400,
    exit: "usage",
    meaning: "The body of a request cannot be read as JSON.",
    cause: "An extra comma, single quotes, or a shell that removed quotes.",
    fix: "Check the body with a JSON parser. With curl, put the body in single quotes or in a file: --data @body.json.",
  },
  malformed_request: {
    text: (problem: string): string => `The request is not valid HTTP: ${problem}.`,
    audience: "client",
    status: 400,
    exit: "environment",
    meaning: "The request is not valid HTTP.",
    cause: "A client of another protocol (TLS to a plain port), a path that cannot be decoded, or two Host headers.",
    fix: "Use http:// and the port of the service, and percent-encode the parts of paths.",
  },
  invalid_component: {
    text: (name: string, problem: string): string => `Component ${name} cannot be saved: ${problem}.`,
    audience: "client",
    status: 400,
    exit: "component",
    meaning: "The code exports no valid component.",
    cause:
      "No name, version or run; a prop of an unknown type; a hook that is not a function; or an error while the module loads.",
    fix: "Correct each line of details.errors: it has the path in the component. x lint FILE checks it without a service.",
  },
  invalid_workflow: {
    text: (name: string, problem: string): string => `Workflow ${name} cannot be registered: ${problem}.`,
    audience: "client",
    status: 400,
    exit: "component",
    meaning: "The code exports no valid workflow.",
    cause: "A step without a run, two steps with the same name, or a trigger that is not an emitter.",
    fix: "Correct each line of details.errors: it has the path in the workflow.",
  },
  invalid_props: {
    text: (name: string, problem: string): string => `Props of component ${name} are not valid: ${problem}.`,
    audience: "client",
    status: 400,
    exit: "usage",
    meaning: "The configured props do not fit those that the component declares.",
    cause: "A required prop is missing, a value has another type, a name is misspelled, or an account does not exist.",
    fix: "Correct each line of details.errors. x sources show ID shows what is configured; null removes a value.",
  },
  not_found: {
    text: (what: string, id: string, ...[why = ""]: string[]): string =>
      what === "dynamic props"
        ? `No dynamic props have the id "${id}" now: they expire after a while and at a restart. Request them again, or omit the id: the runtime then requests them.`
        : `No ${what} has the id or key "${id}"${why === "" ? "" : `: ${why}`}.`,
    audience: "client",
    status: 404,
    exit: "usage",
    meaning: "This user has nothing with this id or key.",
    cause: "A typing error, a deleted resource, or the API key of another user, whose resources are not visible.",
    fix: "List the resources, for example with x sources ls, and check which user the API key belongs to.",
  },
  inactive: {
    text: (id: string): string =>
      id.startsWith("wh_")
        ? `Webhook "${id}" is inactive; activate it first.`
        : id.startsWith("p_")
          ? `Workflow "${id}" is inactive: this process has not registered it.`
          : `Source "${id}" is inactive; activate it, or pass "force": true.`,
    audience: "client",
    status: 409,
    exit: "usage",
    meaning: "The source, workflow or webhook is paused.",
    cause:
      "It was paused, its activate hook failed after an update, the webhook's receiver answered 410, or no process has registered the workflow.",
    fix: 'x sources resume ID; a webhook: PUT /v1/webhooks/ID with "active": true; a workflow: register it, as x serve --workflow does. A run of a paused source takes "force": true.',
  },
  not_replayable: {
    text: (id: string, problem: string): string => `Execution "${id}" cannot be replayed: ${problem}.`,
    audience: "client",
    status: 409,
    exit: "usage",
    meaning: "The execution cannot be repeated as it was.",
    cause:
      "It was a hook, or its event was not stored as it was: it exceeded the limit, or it contained secrets of the source.",
    fix: 'Give the event: x runs replay ID --event JSON, or "event" in the body. Hooks run again when the source is updated.',
  },
  username_taken: {
    text: (name: string): string => `The username "${name}" is taken; choose another.`,
    audience: "client",
    status: 409,
    exit: "usage",
    meaning: "Another user has this name.",
    cause: "Usernames are unique in a service.",
    fix: "Choose another name; x users list shows the usernames in use.",
  },
  key_conflict: {
    text: (key: string, problem: string): string => `Key "${key}" cannot be published: ${problem}.`,
    audience: "client",
    status: 409,
    exit: "usage",
    meaning: "The registry cannot publish a component with this key.",
    cause: "Another folder or file of the registry has the same key, or the folder of the key holds other files.",
    fix: "Give the component another key, remove the other one, or replace its folder with x publish --force.",
  },
  busy: {
    text: (id: string): string => `Source "${id}" is busy with another change; try again.`,
    audience: "client",
    status: 409,
    exit: "environment",
    meaning: "Another request is changing the source and takes long.",
    cause: "Two updates or deletions at once, a hook that hangs, or a run that does not end.",
    fix: "Try again. If the error stays, check what the hooks do: x logs ID.",
  },
  account_in_use: {
    text: (id: string, sources: string): string =>
      `Account "${id}" is used by ${sources}; give them another account, or delete it with "force": true.`,
    audience: "client",
    status: 409,
    exit: "usage",
    meaning: "The account is not deleted, because sources use it.",
    cause: "The message names the sources.",
    fix: "Configure them with another account first, or force the deletion: x accounts rm ID --force. Their runs then fail.",
  },
  connect_failed: {
    text: (app: string, problem: string): string => `No account of app "${app}" was connected: ${problem}.`,
    audience: "client",
    status: 422,
    exit: "environment",
    meaning: "The authorization server gave no tokens.",
    cause:
      "The person declined, the client or its redirect URL is not registered there, or the server answered wrongly.",
    fix: "details.error has the error of the server. Compare client id, secret and redirect URL with what is registered there.",
  },
  queue_full: {
    text: (id: string, limit: string, got: string): string =>
      `The inbox of source "${id}" is full: ${limit} may wait, ${got} would; try again later.`,
    audience: "client",
    status: 429,
    exit: "environment",
    meaning: "The inbox of the source is full and accepts no more events.",
    cause: "Events arrive faster than the source runs, or each run fails late.",
    fix: "Nothing was accepted: slow down the sender and send again. Make run faster; x logs ID shows what it does.",
  },
  unauthorized: {
    text: (): string => `The Authorization header must be "Bearer <API key>" with a valid key.`,
    audience: "client",
    status: 401,
    exit: "environment",
    meaning: "The request has no valid API key.",
    cause: "No Authorization header, a key that was rotated, or the key of another service.",
    fix: 'Send "Authorization: Bearer KEY". For x: X_API_KEY or --api-key. x users rotate NAME makes a new key.',
  },
  foreign_request: {
    text: (header: string, expected: string, got: string): string =>
      `The header ${header} must be ${expected}; got ${got}.`,
    audience: "client",
    status: 403,
    exit: "environment",
    meaning: "The inspector, or a sign-in to it, was asked for in the name of another site.",
    cause:
      "A host name that the service does not know as its own, a proxy that changes Host, or a page of another site.",
    fix: "Open the inspector by its address, by localhost or by the host of --public-url; embedders list others in inspector.hosts.",
  },
  method_not_allowed: {
    text: (method: string, allowed: string): string => `Method ${method} is not allowed here; allowed: ${allowed}.`,
    audience: "client",
    status: 405,
    exit: "environment",
    meaning: "The path does not support this method.",
    cause: "For example POST instead of PUT.",
    fix: "Use one of the methods in the Allow header.",
  },
  unsupported_media_type: {
    text: (expected: string, got: string): string => `The body must have ${expected}, got ${got}.`,
    audience: "client",
    status: 415,
    exit: "environment",
    meaning: "The service does not support the Content-Type or the Content-Encoding of the body.",
    cause: "curl --data sends a form by default, or the sender compresses bodies in a way of its own.",
    fix: 'Send "Content-Type: application/json", and no Content-Encoding other than gzip, deflate, br or zstd.',
  },
  payload_too_large: {
    text: (limit: string): string => `The body is larger than ${limit} bytes.`,
    audience: "client",
    status: 413,
    exit: "usage",
    meaning: "The body of a request is too large, and was rejected.",
    cause: "Bodies of requests to endpoints and of code have a limit, which the message states.",
    fix: "Send less at once, or a link to the data instead of the data.",
  },
  body_fragmented: {
    text: (chunks: string, bytes: string): string =>
      `The body comes in tiny chunks: ${chunks} of them had only ${bytes} bytes together.`,
    audience: "client",
    status: 400,
    exit: "environment",
    meaning: "The body of a request came in too many tiny chunks, and was rejected.",
    cause:
      "A client sends each character as a chunk of its own: 4,096 chunks or more, with fewer than 16 bytes on average.",
    fix: "Send the body at once, with Content-Length, or in larger chunks.",
  },
  overloaded: {
    text: (): string => `Too much data waits for clients that do not read or send it; try again later.`,
    audience: "client",
    status: 503,
    exit: "environment",
    meaning:
      "Too many bytes wait in the service for clients: responses that are not read, or requests that do not arrive completely.",
    cause: "A client requests many large responses at once and reads them late, or never.",
    fix: "Read each response before the next request, request smaller pages, and try again after Retry-After.",
  },
  rate_limited: {
    text: (seconds: string): string => `Too many requests; try again in ${seconds} s.`,
    audience: "client",
    status: 429,
    exit: "environment",
    meaning: "Too many requests arrived with this API key, or at this endpoint, in a short time.",
    cause: "A loop without a pause, or polling instead of a stream.",
    fix: "Wait as long as Retry-After says. To receive events use x events ID --follow, which sends one request.",
  },
} as const;
