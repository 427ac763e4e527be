import type { ErrorCode } from "@x/runtime";

/** What is known about a code beside its message. */
export interface Explanation {
  /** What happened. */
  readonly meaning: string;
  /** What it usually comes from. */
  readonly cause: string;
  /** What to do about it. */
  readonly fix: string;
}

/** Every error code of the runtime. A code without an explanation does not compile. */
export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  missing_parameter: {
    meaning: "A request lacks a parameter that it needs.",
    cause: "A field of the JSON body or a query parameter was left out, or is spelled differently.",
    fix: "Add the parameter that the message names. GET /docs of the service shows what each request takes.",
  },
  invalid_parameter: {
    meaning: "A parameter of a request has a value that it cannot have.",
    cause: "A wrong type, a number out of bounds, or a cursor that is not from page_info.",
    fix: "The message says what was expected and what came; details.errors lists every problem with its path.",
  },
  invalid_json: {
    meaning: "The body of a request cannot be read as JSON.",
    cause: "A comma too many, single quotes, or a shell that took quotes away.",
    fix: "Check the body with a JSON parser. With curl, put the body in single quotes or in a file: --data @body.json.",
  },
  malformed_request: {
    meaning: "What came is not valid HTTP, so nobody looked further.",
    cause:
      "A client that speaks something else (TLS to a plain port), a path that cannot be decoded, or two Host headers.",
    fix: "Use http:// and the port of the service, and percent-encode what stands in paths.",
  },
  invalid_component: {
    meaning: "The code was read, but what it exports is no component that can be saved.",
    cause:
      "No name, version or run; a prop of an unknown type; a hook that is no function; or it throws while it loads.",
    fix: "Correct each line of details.errors: it has the path in the component. x lint FILE checks it without a service.",
  },
  invalid_workflow: {
    meaning: "The code was read, but what it exports is no workflow that can be registered.",
    cause: "A step without a run, two steps of the same name, or a trigger that is no emitter.",
    fix: "Correct each line of details.errors: it has the path in the workflow.",
  },
  invalid_props: {
    meaning: "The configured props do not fit those that the component declares.",
    cause: "A required prop is missing, a value has another type, a name is misspelled, or an account does not exist.",
    fix: "Correct each line of details.errors. x sources show ID shows what is configured; null removes a value.",
  },
  not_found: {
    meaning: "Nothing with this id or key is there for this user.",
    cause: "A typing error, something that was deleted, or the API key of another user: what is theirs is not found.",
    fix: "List what there is, for example with x sources ls, and check which user the API key belongs to.",
  },
  inactive: {
    meaning: "The source, workflow or webhook is there, but paused.",
    cause:
      "It was paused, its activate hook failed after an update, the webhook's receiver answered 410, or no process has registered the workflow.",
    fix: 'x sources resume ID; a webhook: PUT /v1/webhooks/ID with "active": true; a workflow: register it, as x serve --workflow does. A run of a paused source takes "force": true.',
  },
  username_taken: {
    meaning: "Another user has this name.",
    cause: "Names are unique in a service.",
    fix: "Choose another name; x users list shows those that are taken.",
  },
  key_conflict: {
    meaning: "The registry cannot take a component under this key.",
    cause: "Another folder or file of the registry has the same key, or the folder of the key holds other files.",
    fix: "Give the component another key, remove the other one, or replace its folder with x publish --force.",
  },
  busy: {
    meaning: "The source is being changed by another request that takes long.",
    cause: "Two updates or deletions at once, a hook that hangs, or a run that does not end.",
    fix: "Try again. If it stays so, look at what the hooks do: x logs ID.",
  },
  account_in_use: {
    meaning: "The account is not deleted, because sources are configured with it.",
    cause: "The message names the sources.",
    fix: "Give them another account first, or delete it all the same: x accounts rm ID --force. Their runs then fail.",
  },
  queue_full: {
    meaning: "The source has so many events waiting that no more are taken.",
    cause: "Its runs are slower than what comes in, or each fails late.",
    fix: "Slow the sender down and send again: nothing was taken. Make run faster; x logs ID shows what it does.",
  },
  unauthorized: {
    meaning: "The request has no valid API key.",
    cause: "No Authorization header, a key that was rotated, or the key of another service.",
    fix: 'Send "Authorization: Bearer KEY". For x: X_API_KEY or --api-key. x users rotate NAME makes a new key.',
  },
  method_not_allowed: {
    meaning: "The path exists, but not with this method.",
    cause: "For example POST where PUT is meant.",
    fix: "Use one of the methods in the Allow header.",
  },
  unsupported_media_type: {
    meaning: "The body has a Content-Type that the service does not read.",
    cause: "curl --data sends a form unless it is told otherwise.",
    fix: 'Send "Content-Type: application/json".',
  },
  payload_too_large: {
    meaning: "The body of a request is too large; nothing of it was taken.",
    cause: "Bodies of requests to endpoints and of code have a limit, which the message tells.",
    fix: "Send less at once, or a link to the data instead of the data.",
  },
  rate_limited: {
    meaning: "Too many requests came with this API key, or to this endpoint, in a short time.",
    cause: "A loop without a pause, or polling where a stream would do.",
    fix: "Wait as long as Retry-After says. To hear events use x events ID --follow, which asks once.",
  },
  bundle_failed: {
    meaning: "The code and what it imports cannot be joined to one file.",
    cause:
      "A syntax error, an import of a file that is not there or outside the root, an import of a kind that is not allowed, or more code than the limit.",
    fix: "Look at file:line:column in the message. Code that came over REST cannot import files: use x publish, x serve or x dev.",
  },
  package_unresolved: {
    meaning: "A package that the code imports cannot be found.",
    cause:
      "The registry has no such package or version, or it cannot be reached and the cache does not have it, or components may have no packages (--packages off).",
    fix: "Check the name and the version after @. The registry and its token come from your npmrc: try npm view NAME. What was deployed once works offline.",
  },
  package_refused: {
    meaning: "A package is named in a way that components may not use.",
    cause:
      "An import, a package.json beside the component or a dependency names a file, a git repository, an archive or an alias, or a file that is no code.",
    fix: "Import packages of a registry by their names, such as axios or axios@^1.7.0, or install beside the component what its package.json has from elsewhere. The message has the chain of imports.",
  },
  package_too_large: {
    meaning: "The packages of a component, or its bundle with them, are larger than the limit.",
    cause: "A package with many dependencies or much code, such as the client of a whole cloud.",
    fix: "Import the smallest package or sub-path that does (lodash/get, @googleapis/drive), or raise the limit in createRuntime.",
  },
  package_integrity: {
    meaning: "The archive of a package is not the one that it should be, so it was not used.",
    cause:
      "It was changed after the version was pinned, or was damaged on the way or in a proxy, or the public registry seems to list no integrity for it.",
    fix: "Deploy again. When it stays, somebody republished the version: import another one.",
  },
  package_native: {
    meaning: "A package needs code that was compiled for one kind of machine.",
    cause: "Components run in a sandbox that cannot load native addons.",
    fix: "Use a package of plain JavaScript that does the same.",
  },
  package_failed: {
    meaning: "A package throws, or takes too long or too much memory, when it is loaded.",
    cause:
      "It needs a web page (document, window) or a socket, which components do not have, or it has so much code that reading it takes seconds.",
    fix: "The message has its own error and the chain of imports. Import a version or sub-path of it that does less (googleapis -> @googleapis/drive), or another package.",
  },
  additional_props_failed: {
    meaning: "The component's additionalProps threw or gave something that are no props.",
    cause: "A request in it failed, or a prop in its answer has an unknown type.",
    fix: "The message has its error. Try it with POST /v1/components/props and the same configured_props.",
  },
  invalid_result: {
    meaning: "A function of the component gave something of another form than it must.",
    cause: "options must give a list or {options, context}; additionalProps must give an object of props.",
    fix: "Return what the message expects.",
  },
  hook_failed: {
    meaning: "A hook (deploy, activate or deactivate) threw, so the change was not made.",
    cause: "Usually a request to the app failed: wrong credentials, a webhook URL that it cannot reach.",
    fix: "The message has the hook's error and its stack. x sources rm ID --force deletes in spite of deactivate.",
  },
  component_url_failed: {
    meaning: "The code at a component_url could not be fetched.",
    cause: "The server did not answer 2xx, redirected too often, or sent too much.",
    fix: "Open the URL yourself. If it is inside your network, start the service with --network allow-private.",
  },
  component_threw: {
    meaning: "The component's own code threw an error.",
    cause: "The message and the stack are its own; lines are those of your files.",
    fix: "Look at the first line of the stack. x run FILE --event JSON repeats a run in memory.",
  },
  account_failed: {
    meaning: "The program that embeds the runtime could not give the credentials of an account.",
    cause: "Its accounts callback threw, or gave something that is no JSON object.",
    fix: "Mend the callback; what it threw is in the log of the runtime alone. undefined from it means: ask the stored accounts.",
  },
  account_missing: {
    meaning: "A prop is configured with an account that no longer exists.",
    cause: "The account was deleted with force while the source used it.",
    fix: "x accounts add APP, then configure the prop with the new id.",
  },
  no_response: {
    meaning: "A component with customResponse: true ended without an answer; the client got 500.",
    cause: "A path through run on which this.http.respond() is not called, or is called too late.",
    fix: "Call respond on every path, also where it throws; or leave customResponse out: then 200 is sent at once.",
  },
  sandbox_timeout: {
    meaning: "The code ran longer than it may and was stopped. What it emitted before is kept.",
    cause: "An endless loop, a request that hangs, or more work than fits into one run.",
    fix: "Do less per run and keep a cursor in $.service.db, or allow more with --run-timeout, limits.runTimeoutMs in createRuntime.",
  },
  sandbox_out_of_memory: {
    meaning: "The code needed more memory than it may and was stopped.",
    cause: "A list or text that grows without bounds, or a large download that is held at once.",
    fix: "Read page by page and emit as you go, or allow more with --memory, limits.memoryBytes in createRuntime.",
  },
  sandbox_crashed: {
    meaning: "The code broke the sandbox that it ran in; only this run is hurt.",
    cause: "Very deep recursion or a fault of the sandbox itself.",
    fix: "Look for recursion without an end. If there is none, please report the component as a bug.",
  },
  trigger_abandoned: {
    meaning: "An event was being handled each time the process died, and is not tried again.",
    cause: "The process was killed (memory, SIGKILL) several times while this event ran.",
    fix: "Look at the original_event in the $errors record; it may be what kills the process. Run it again with x run.",
  },
  subscription_loop: {
    meaning: "Sources trigger each other in a circle; the chain was ended.",
    cause: "A subscription leads from a source back to itself, perhaps over others, or over calls of their endpoints.",
    fix: "Remove one of the subscriptions, or let run ignore events that it caused.",
  },
  events_dropped: {
    meaning: "Events that a source subscribes to were not delivered to it.",
    cause: "They came faster than the source runs, and its inbox was full.",
    fix: "Make run faster, or subscribe to less; the limits are inboxPerSource and inboxBytesPerSource. The emitter still lists its last events.",
  },
  delivery_failed: {
    meaning: "An event could not be delivered to a webhook, after every attempt.",
    cause: "The URL did not answer 2xx, did not answer in time, or is not allowed by the network rules.",
    fix: "The message has the last answer. Mend the receiver, then redeliver: POST /v1/webhooks/ID/deliveries/ID/redeliver.",
  },
  address_forbidden: {
    meaning:
      'A request was stopped because it leads to an address that components may not reach; to them it is the cause of "fetch failed".',
    cause: "Loopback, private and link-local addresses are closed unless the service is told otherwise.",
    fix: 'Start it with --network allow-private, network: { mode: "allow-private" } in createRuntime, when you trust every component in it.',
  },
  network_failed: {
    meaning: 'A request of a component did not get an answer; to it this is the cause of "fetch failed".',
    cause: "An unknown host, a refused connection, a certificate that is not valid, or no network at all.",
    fix: "The message has the reason. Try the same URL with curl from the same machine.",
  },
  db_value_too_large: {
    meaning: "A value is too large for $.service.db.",
    cause: "The db is for cursors and small state, not for whole answers.",
    fix: "Store ids or a hash instead, or spread the values over several keys.",
  },
  store_locked: {
    meaning: "Another process, or another runtime of this one, has the data folder.",
    cause: "A service is running on it. Two would harm each other.",
    fix: "Stop the other one, choose another folder with --data, or ask the running service: x sources, x users --url.",
  },
  store_failed: {
    meaning: "The data could not be written or read.",
    cause: "A full disk, missing rights, or a disk that fails.",
    fix: "Make room or give rights: what is running goes on by itself, what ended is started again. What was acknowledged is there.",
  },
  store_corrupt: {
    meaning: "The data file is not what it was when it was written.",
    cause: "A failing disk, a file that was copied while it was used, or another program that wrote to it.",
    fix: "Restore the folder from a backup. Keep the damaged file: parts of it may be readable with SQLite's .recover.",
  },
  store_version: {
    meaning: "The data folder was written by a newer release.",
    cause: "The program was downgraded.",
    fix: "Use the newer release, or a backup from before the upgrade.",
  },
  secret_key_missing: {
    meaning: "There are encrypted secrets in the data folder, but no key.",
    cause: "The file x.key was left behind when the folder was moved, or X_SECRET_KEY is not set.",
    fix: "Restore x.key from a backup, or give the key with X_SECRET_KEY or --secret-key.",
  },
  secret_key_wrong: {
    meaning: "The key does not open the secrets in the data folder.",
    cause: "Another folder's x.key, or a passphrase with a typing error.",
    fix: "Give the key that the folder was made with, or last given by `x secret-key rotate`.",
  },
  secret_key_unreadable: {
    meaning: "The file with the key cannot be read or holds no key.",
    cause: "Missing rights, or a file that was cut short.",
    fix: "Restore the file from a backup; a new key would not open the old secrets.",
  },
  secret_damaged: {
    meaning: "One record's secrets cannot be decrypted, though the key is right.",
    cause: "The record was changed outside of the service, or copied from another one.",
    fix: "Write the secrets again: configure the prop, or replace the account's credentials.",
  },
  registry_failed: {
    meaning: "The registry's folder cannot be written.",
    cause: "Missing rights or a full disk.",
    fix: "Give rights on the folder, or choose another one with --registry.",
  },
  invalid_options: {
    meaning: "An option of the runtime has a value that it cannot have.",
    cause: "A program that embeds the runtime, or a flag of x, gave it.",
    fix: "The message names the option, what is expected, and what was given.",
  },
  closed: {
    meaning: "The runtime is starting or has been closed.",
    cause: "A request came while the service starts or stops, or a program uses a runtime after close().",
    fix: "Try again in a second. In a program of yours, close the runtime last.",
  },
  internal: {
    meaning: "The service failed in a way that it did not expect.",
    cause: "A fault of x, or of its machine. The service's log has the details, which callers do not see.",
    fix: "Look at the log of the service at the time of the request; please report it as a bug.",
  },
};
