import http from "node:http";

import { createAgentType, createClient } from "../node/http/client.ts";
import type { ClientRequest } from "../node/http/client-request.ts";

const Agent = createAgentType("https:", 443);
const globalAgent = new Agent({ keepAlive: true });
// The class of `http`, so that responses of both modules have the same classes.
const Request = http.ClientRequest as unknown as new (...given: unknown[]) => ClientRequest;

export default { Agent, globalAgent, ...createClient(Request, globalAgent) };
