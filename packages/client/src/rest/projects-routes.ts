// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Project, ProjectResource } from "./projects.ts";

export interface ProjectsRoutes {
  /** List the records of all projects by name. */
  readonly "GET /users/me/projects": {
    readonly query?: {
      /** Words; each is in the name, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: readonly Project[];
    };
  };
  /** Read the record of a project. */
  readonly "GET /projects/{name}": {
    readonly path: { readonly name: string };
    readonly answer: {
      readonly data: Project;
    };
  };
  /** Replace the record of a project. */
  readonly "PUT /projects/{name}": {
    readonly path: { readonly name: string };
    readonly body: {
      /** The revision of the record that this one replaces; 0 for a new project. */
      readonly revision: number;
      /** A list of resources. */
      readonly resources: readonly ProjectResource[];
    };
    readonly answer: {
      readonly data: Project;
    };
  };
  /** Forget a project; what it has made stays. */
  readonly "DELETE /projects/{name}": {
    readonly path: { readonly name: string };
    readonly answer: undefined;
  };
}
