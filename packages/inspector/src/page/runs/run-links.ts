import { linkTo } from "../app/router.ts";

/** The page of a run. */
export const linkToRun = (id: string): string => linkTo(`/runs/${id}`);

/** The path of a source or workflow, in the address of its page and in REST. */
export const pathOfEmitter = (id: string): string =>
  `/${id.startsWith("p_") ? "workflows" : "sources"}/${encodeURIComponent(id)}`;

/** The page of a source or workflow. */
export const linkToEmitter = (id: string): string => linkTo(pathOfEmitter(id));
