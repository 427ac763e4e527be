import http from "node:http";

import { createAgentType, createClient } from "../node/http/client.ts";
import type { ClientRequest } from "../node/http/client-request.ts";

const Agent = createAgentType("https:", 443);
const globalAgent = new Agent({ keepAlive: true });
// The request of `http`, so that answers of both are of one class.
const Request = http.ClientRequest as unknown as new (...given: unknown[]) => ClientRequest;

export default { Agent, globalAgent, ...createClient(Request, globalAgent) };
