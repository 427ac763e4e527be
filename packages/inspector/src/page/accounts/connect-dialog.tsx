import type { Account, App, Connection } from "@x/client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import { notify } from "../app/notices.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";

interface ConnectProps {
  readonly apps: readonly App[];
  /** Connected again. */
  readonly account?: Account;
  readonly close: () => void;
  readonly done: () => void;
}

/** Connects an account of an app that is set up: the person agrees on a page of its service. */
export function ConnectDialog({ apps, account, close, done }: ConnectProps): JSX.Element {
  const [chosen, choose] = useState(account?.app ?? apps[0]?.app ?? "");
  const [values, setValues] = useState<Record<string, string>>({});
  const [asked, setAsked] = useState<Connection>();
  const [problem, setProblem] = useState("");
  // The parts of addresses of an account that is connected again are known.
  const fields = account ? [] : (apps.find(({ app }) => app === chosen)?.fields ?? []);

  function told({ status, error }: Connection): boolean {
    if (status === "connected") {
      notify("done", `An account of ${chosen} is connected`);
      done();
    } else if (status === "failed") {
      setAsked(undefined);
      setProblem(error ?? "");
    }
    return status !== "pending";
  }
  async function submit(): Promise<void> {
    const what = account ? { account_id: account.id } : { app: chosen, ...(fields.length > 0 && { fields: values }) };
    try {
      setProblem("");
      const { data } = await request<{ data: Connection }>("POST", "/accounts/connect", { body: what });
      if (!told(data)) setAsked(data);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  useEffect(() => {
    if (!asked) return undefined;
    const waiting = new AbortController();
    const { signal } = waiting;
    const wait = async (): Promise<void> => {
      const path = `/accounts/connect/${asked.id}`;
      while (!signal.aborted) {
        const { data } = await request<{ data: Connection }>("GET", path, { query: { wait: true }, signal });
        if (told(data)) return;
      }
    };
    wait().catch((error: unknown) => {
      if (!signal.aborted) setProblem(messageOf(error));
    });
    return () => waiting.abort();
  }, [asked?.id]);

  return (
    <Dialog
      title={account ? `Connect ${account.name ?? account.app} again` : "Connect with an app"}
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          {!asked && <Button look="main-action" label="Connect" act={submit} />}
        </>
      }
    >
      {!account && !asked && (
        <label class="field">
          <span class="field-label">App</span>
          <select class="input" value={chosen} onChange={({ currentTarget: { value } }) => choose(value)}>
            {apps.map(({ app }) => (
              <option key={app}>{app}</option>
            ))}
          </select>
        </label>
      )}
      {!asked &&
        fields.map(({ name, label, secret }) => (
          <TextField
            key={name}
            label={label ?? name}
            secret={secret}
            value={values[name] ?? ""}
            change={(value) => setValues({ ...values, [name]: value })}
          />
        ))}
      {asked && (
        <p>
          <a href={asked.authorize_url ?? ""} target="_blank" rel="noopener noreferrer">
            Agree on the page of {chosen}
          </a>
          , then come back here.
        </p>
      )}
      {problem !== "" && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
