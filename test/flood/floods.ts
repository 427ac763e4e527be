import type { Flood } from "./contract.ts";
import { outsider } from "./outsider.ts";
import { reader } from "./reader.ts";
import { source } from "./source.ts";
import { upstream } from "./upstream.ts";
import { user } from "./user.ts";

export const floods: readonly Flood[] = [outsider, user, upstream, reader, source];
