import { createAgentType, createClient } from "../node/http/client.ts";
import { ClientRequest } from "../node/http/client-request.ts";
import { validateHeaderName, validateHeaderValue } from "../node/http/headers.ts";
import { IncomingMessage } from "../node/http/incoming.ts";

const methods =
  "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY " +
  "OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK " +
  "UNLOCK UNSUBSCRIBE";

const Agent = createAgentType("http:", 80);
const globalAgent = new Agent({ keepAlive: true });

export default {
  Agent,
  ClientRequest,
  IncomingMessage,
  METHODS: methods.split(" "),
  globalAgent,
  setMaxIdleHTTPParsers: () => undefined,
  validateHeaderName,
  validateHeaderValue,
  ...createClient(ClientRequest, globalAgent),
};
