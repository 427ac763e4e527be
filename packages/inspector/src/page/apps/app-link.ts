import { linkTo } from "../app/router.ts";

/** The page of an app. */
export const linkToApp = (app: string): string => linkTo(`/apps/${encodeURIComponent(app)}`);

/** The path of its endpoint in the REST interface. */
export const pathOfEndpoint = (app: string): string => `/apps/${encodeURIComponent(app)}/endpoint`;
