import { isDeepStrictEqual } from "node:util";

import type { ProjectInput } from "../api/api.ts";
import {
  XError,
  createDispatcher,
  projectKinds,
  readEach,
  type Clock,
  type Project,
  type ProjectResource,
} from "@x/model";
import type { Store } from "@x/store";

/** Records of what the users' projects have made. Methods reject with `not_found` for a project that the user has not. */
export interface Projects {
  find(name: string, userId: string): Promise<Project>;
  /** By name. */
  list(userId: string): Promise<readonly Project[]>;
  /** Replaces the record. Rejects with `project_changed` unless `revision` is the one in the store, 0 for a new project. */
  put(name: string, input: ProjectInput, userId: string): Promise<Project>;
  /** Removes the record; what the project has made stays. */
  delete(name: string, userId: string): Promise<void>;
}

const maxResources = 1_000;
const longestText = 512;
const nameRule = /^[a-z0-9][a-z0-9._-]{0,63}$/;

function refuse(parameter: string, expected: string, got: unknown): never {
  const received = (JSON.stringify(got) ?? "nothing").slice(0, 100);
  throw new XError("invalid_parameter", [parameter, expected, received]);
}

const isText = (value: unknown): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= longestText && value.isWellFormed();

function validateResource(given: ProjectResource, index: number): ProjectResource {
  const expected = `an object with kind (${projectKinds.join(", ")}), name, id, made and fingerprint`;
  const isObject = typeof given === "object" && given !== null;
  if (!isObject || !projectKinds.includes(given.kind)) return refuse(`resources.${index}`, expected, given);
  const { kind, name, id, made, fingerprint } = given;
  const fits =
    isText(name) &&
    (id === null || isText(id)) &&
    typeof made === "boolean" &&
    (fingerprint === null || isText(fingerprint));
  return fits ? { kind, name, id, made, fingerprint } : refuse(`resources.${index}`, expected, given);
}

function validate({ resources }: ProjectInput): readonly ProjectResource[] {
  if (!Array.isArray(resources) || resources.length > maxResources)
    return refuse("resources", `a list of at most ${maxResources} resources`, typeof resources);
  const readers = (resources as readonly ProjectResource[]).map((given, index) => () => validateResource(given, index));
  const valid: readonly ProjectResource[] = Object.values(readEach(readers));
  const keys = new Set(valid.map(({ kind, name }) => JSON.stringify([kind, name])));
  return keys.size === valid.length ? valid : refuse("resources", "a list that names each resource once", valid.length);
}

export function createProjects({ store, clock }: { readonly store: Store; readonly clock: Clock }): Projects {
  // One change of a user at a time: the revision is compared and stored in one go.
  const lanes = createDispatcher();
  const notFound = (name: string): XError => new XError("not_found", ["project", name]);

  async function find(name: string, userId: string): Promise<Project> {
    const project = await store.project(userId, name);
    if (!project) throw notFound(name);
    return project;
  }

  return {
    find,
    list: (userId) => store.projects(userId),
    put(name, input, userId) {
      if (!nameRule.test(name))
        refuse("name", "1 to 64 of a-z, 0-9, dot, hyphen and underscore that begin with a letter or digit", name);
      const resources = validate(input);
      return lanes.run(userId, async () => {
        const before = await store.project(userId, name);
        const revision = before?.revision ?? 0;
        if (input.revision !== revision)
          throw new XError("project_changed", [name, String(revision), String(input.revision)]);
        if (before && isDeepStrictEqual(before.resources, resources)) return before;
        const now = clock.now();
        const createdAt = before?.createdAt ?? now;
        const project: Project = { userId, name, revision: revision + 1, resources, createdAt, updatedAt: now };
        await store.commit([{ op: "project.put", project }]);
        return project;
      });
    },
    delete: (name, userId) =>
      lanes.run(userId, async () => {
        await find(name, userId);
        await store.commit([{ op: "project.delete", userId, name }]);
      }),
  };
}
