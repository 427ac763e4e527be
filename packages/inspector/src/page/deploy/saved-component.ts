import { ApiError, messageOf, request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import type { DeployedComponent } from "./deployed-component.ts";

/** What each way of choosing a component is given. */
export interface ChoiceProps {
  readonly choose: (component: DeployedComponent) => void;
}

/** Saves code, a file or a URL as a component. Throws `ApiError`. */
export const saveComponent = async (body: Readonly<Record<string, unknown>>): Promise<DeployedComponent> =>
  (await request<DataOf<DeployedComponent>>("POST", "/components", { body })).data;

/** What is wrong with a component: each problem in its own line. */
export function problemText(error: unknown): string {
  const listed = error instanceof ApiError ? (error.details.errors ?? []) : [];
  return listed.length === 0
    ? messageOf(error)
    : listed.map(({ path, message }) => [path, message].filter(Boolean).join(": ")).join("\n");
}
