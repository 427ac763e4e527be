import type { AccountView } from "@x/runtime";

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Contract 3.12; no answer shows credentials. */
export const viewAccount = ({ id, app, name, createdAt, updatedAt }: AccountView): object => ({
  id,
  app,
  name,
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
});
