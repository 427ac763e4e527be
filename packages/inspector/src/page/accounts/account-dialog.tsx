import type { Account } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";

interface DialogProps {
  /** Absent: a new one. */
  readonly account?: Account;
  readonly close: () => void;
  readonly done: () => void;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly change: (fields: readonly Field[]) => void;
}

/** The fields of `$auth`, with values that nobody sees. */
function CredentialFields({ fields, change }: FieldsProps): JSX.Element {
  const set = (at: number, part: Partial<Field>): void =>
    change(fields.map((field, index) => (index === at ? { ...field, ...part } : field)));
  return (
    <fieldset class="credentials">
      <legend class="field-label">Credentials</legend>
      <span class="field-about">Components read them as $auth. They are encrypted and never shown again.</span>
      {fields.map(({ name, value }, index) => (
        <div key={index} class="row">
          <input
            class="input mono"
            aria-label={`Name of field ${index + 1}`}
            placeholder="token"
            value={name}
            autocomplete="off"
            onInput={(event) => set(index, { name: event.currentTarget.value })}
          />
          <input
            class="input mono"
            type="password"
            aria-label={`Value of field ${index + 1}`}
            value={value}
            autocomplete="new-password"
            onInput={(event) => set(index, { value: event.currentTarget.value })}
          />
          <Button
            look="quiet"
            icon="close"
            label={`Remove field ${index + 1}`}
            iconOnly
            act={() => change(fields.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button look="quiet" icon="add" label="Add a field" act={() => change([...fields, { name: "", value: "" }])} />
      </div>
    </fieldset>
  );
}

const authOf = (fields: readonly Field[]): Record<string, string> =>
  Object.fromEntries(fields.filter(({ name }) => name !== "").map(({ name, value }) => [name, value]));

/** Connects an account, or replaces its name or credentials. */
export function AccountDialog({ account, close, done }: DialogProps): JSX.Element {
  const [app, setApp] = useState(account?.app ?? "");
  const [name, setName] = useState(account?.name ?? "");
  const [fields, setFields] = useState<readonly Field[]>(account ? [] : [{ name: "", value: "" }]);
  const [problem, setProblem] = useState("");
  async function submit(): Promise<void> {
    const auth = authOf(fields);
    const named = name === "" ? {} : { name };
    try {
      if (account) {
        const changed = Object.keys(auth).length > 0 ? { auth } : {};
        await request("PUT", `/accounts/${account.id}`, { body: { ...changed, name: name === "" ? null : name } });
      } else await request("POST", "/accounts", { body: { app: app.trim(), auth, ...named } });
      done();
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <Dialog
      title={account ? `Change ${account.name ?? account.app}` : "Connect an account"}
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label={account ? "Save" : "Connect"} act={submit} />
        </>
      }
    >
      {!account && <TextField label="App" value={app} change={setApp} about="As in the app prop of components: acme" />}
      <TextField label="Name" value={name} change={setName} about="Optional, to tell accounts apart" />
      <CredentialFields fields={fields} change={setFields} />
      {problem !== "" && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
