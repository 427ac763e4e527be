import type { JSX } from "preact";

import { isFirstUser } from "../app/first-user.ts";
import { linkToApp } from "../apps/app-link.ts";
import { EventNames } from "../apps/app-listeners.tsx";
import { type AppHook, appHooksOf } from "../apps/app-hooks.ts";
import { Part } from "../runs/part.tsx";
import { CopyButton } from "../ui/button.tsx";
import { Badge } from "../ui/status.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

function AppHookCard({ hook: { prop, app, names, url, account } }: { readonly hook: AppHook }): JSX.Element {
  const link = linkToApp(app);
  return (
    <Part title={`Events of ${app}`} end={<a href={link}>The app</a>}>
      <div class="stack">
        {url === null ? (
          <div class="prop-alert warn" role="note">
            {app} has no endpoint{!isFirstUser.value && " of yours"}, so its service has no URL to send events to.{" "}
            <a href={link}>Create the endpoint</a>, and paste its URL at the service.
            {!isFirstUser.value && " An endpoint that the first user has for all users needs no other one."}
          </div>
        ) : (
          <div class="code-line">
            <code>{url}</code>
            <CopyButton text={url} label={`Copy the URL of ${app}`} iconOnly />
          </div>
        )}
        <dl class="facts">
          <dt>
            <code>{prop}</code> gets
          </dt>
          <dd>
            <EventNames names={names} />
          </dd>
          {account === null && (
            <>
              <dt>Account</dt>
              <dd>
                <Badge tone="warn">none: it gets no events</Badge>
              </dd>
            </>
          )}
        </dl>
      </div>
    </Part>
  );
}

/** The events of apps that a source gets. */
export const AppHooksCards = ({ source, component }: Pick<SourceTabProps, "source" | "component">): JSX.Element => (
  <>
    {appHooksOf(source.configured_props, component.configurable_props).map((hook) => (
      <AppHookCard key={hook.prop} hook={hook} />
    ))}
  </>
);
