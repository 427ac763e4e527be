import { linkTo } from "../app/router.ts";

/** The page of a run. */
export const linkToRun = (id: string): string => linkTo(`/runs/${id}`);

/** The page of a source or workflow. */
export const linkToEmitter = (id: string): string =>
  linkTo(`/${id.startsWith("p_") ? "workflows" : "sources"}/${encodeURIComponent(id)}`);
