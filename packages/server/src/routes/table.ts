import type { Route } from "../route.ts";
import { componentRoutes } from "./components.ts";
import { eventRoutes } from "./events.ts";
import { runRoutes } from "./runs.ts";
import { sourceRoutes } from "./sources.ts";
import { userRoutes } from "./user.ts";

/** Every route below the base URL. Matching, 404, 405 and `Allow` all derive from this one list. */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...componentRoutes,
  ...sourceRoutes,
  ...runRoutes,
  ...eventRoutes,
];
