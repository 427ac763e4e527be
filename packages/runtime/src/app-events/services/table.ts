import { dropbox, github, shopify, strava } from "./others.ts";
import type { AppService } from "./service.ts";
import { slack } from "./slack.ts";
import { zoom, zoomAdmin } from "./zoom.ts";

/** Services whose requests the runtime can read, from their public documentation. */
export const appServices: readonly AppService[] = [dropbox, github, shopify, slack, strava, zoom, zoomAdmin];

export const findAppService = (name: string): AppService | undefined => appServices.find((each) => each.name === name);

/** The service that sends the events of an app. */
export const serviceOfApp = (slug: string): AppService | undefined =>
  appServices.find(({ slugs }) => slugs.includes(slug));
