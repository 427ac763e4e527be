import type { AppEndpoint } from "@x/client";
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { isFirstUser } from "../app/first-user.ts";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { pathOfEndpoint } from "./app-link.ts";
import {
  bodyOf,
  byCode,
  draftOf,
  type EndpointDraft,
  parametersOf,
  parameterWords,
  schemes,
  type SecretUse,
  services,
} from "./endpoint-draft.ts";

interface PartProps {
  readonly draft: EndpointDraft;
  readonly set: (part: Partial<EndpointDraft>) => void;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly change: (value: string) => void;
}

function Select({ label, value, choices, change }: SelectProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select id={id} class="input" value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const asChoice = (value: string): readonly [string, string] => [value, value];

const Parameters = ({ names, draft, set }: PartProps & { readonly names: readonly string[] }): JSX.Element => (
  <div class="field-pair">
    {names.map((name) => (
      <TextField
        key={name}
        label={name}
        value={draft.parameters[name] ?? ""}
        change={(value) => set({ parameters: { ...draft.parameters, [name]: value } })}
        about={parameterWords[name] ?? ""}
      />
    ))}
  </div>
);

/** Who sends the requests, and how they prove it. */
function Verification({ draft, set }: PartProps): JSX.Element {
  const names = parametersOf(draft);
  return (
    <>
      <div class="field-pair">
        <Select
          label="Service"
          value={draft.service}
          choices={[["", "By the app"], ...services.map(asChoice), [byCode, "Another: code reads it"]]}
          change={(service) => set({ service, scheme: "", parameters: {} })}
        />
        <Select
          label="Scheme"
          value={draft.scheme}
          choices={[["", "That of the service"], ...schemes.map(asChoice)]}
          change={(scheme) => set({ scheme, parameters: {} })}
        />
      </div>
      <Parameters names={names.slice(0, 2)} draft={draft} set={set} />
      {names.length > 2 && (
        <details>
          <summary>More of the scheme</summary>
          <Parameters names={names.slice(2)} draft={draft} set={set} />
        </details>
      )}
      {draft.scheme === "none" && (
        <p class="prop-alert warn" role="note">
          Requests are not verified: everybody who knows the URL can send events.
        </p>
      )}
    </>
  );
}

const secretUses = [
  { value: "keep", label: "Keep it" },
  { value: "replace", label: "Replace it" },
  { value: "add", label: "Add another" },
] as const;

const secretWords: Readonly<Record<SecretUse, string>> = {
  keep: "",
  replace: "As the service shows it. It is encrypted, and never shown again.",
  add: "Requests may be signed with any of them: while the service changes from the old one to the new one.",
};

function Secret({ draft, set, stored }: PartProps & { readonly stored: number }): JSX.Element {
  const { secretUse: use, secret } = draft;
  return (
    <>
      {stored > 0 && (
        <div class="field">
          <span class="field-label">{stored === 1 ? "The stored secret" : "The stored secrets"}</span>
          <Chips
            label="The stored secret"
            value={use}
            choices={secretUses}
            change={(secretUse) => set({ secretUse })}
          />
        </div>
      )}
      {use !== "keep" && (
        <TextField
          label="Secret"
          value={secret}
          change={(next) => set({ secret: next })}
          about={secretWords[use]}
          secret
        />
      )}
    </>
  );
}

interface DialogProps {
  /** Absent: it is asked for. */
  readonly app?: string;
  /** The one that is changed. */
  readonly endpoint?: AppEndpoint;
  readonly secretUse?: SecretUse;
  readonly close: () => void;
  readonly done: (endpoint: AppEndpoint) => void;
}

/** Makes the endpoint of an app, or changes it. */
export function EndpointDialog({ app, endpoint, secretUse = "keep", close, done }: DialogProps): JSX.Element {
  const [draft, setDraft] = useState(() => draftOf(app ?? "", endpoint, secretUse));
  const [problem, setProblem] = useState("");
  const set = (part: Partial<EndpointDraft>): void => setDraft((old) => ({ ...old, ...part }));
  async function submit(): Promise<void> {
    try {
      const path = pathOfEndpoint(draft.app.trim());
      done((await request<DataOf<AppEndpoint>>("PUT", path, { body: bodyOf(draft) })).data);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  const isCustom = endpoint?.reader === "custom";
  return (
    <Dialog
      title={
        endpoint ? `Change the endpoint of ${endpoint.app}` : `New endpoint${app === undefined ? "" : ` of ${app}`}`
      }
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label={endpoint ? "Save" : "Create"} act={submit} />
        </>
      }
    >
      {app === undefined && (
        <TextField
          label="App"
          value={draft.app}
          change={(slug) => set({ app: slug })}
          about="As in the app prop of components: slack"
          required
        />
      )}
      <Verification draft={draft} set={set} />
      <Secret draft={draft} set={set} stored={endpoint?.secrets ?? 0} />
      {(draft.service === byCode || isCustom) && (
        <div class="field">
          <span class="field-label">Reader</span>
          <span class="field-about">
            A module with <code>receive</code>, which makes events of requests.
            {isCustom && " Paste it again: all of the endpoint is replaced."}
          </span>
          <CodeEditor label="Reader" language="javascript" value={draft.code} change={(code) => set({ code })} />
        </div>
      )}
      {isFirstUser.value && (
        <div class="field">
          <span class="field-label">For accounts of</span>
          <Chips
            label="For accounts of"
            value={draft.allUsers ? "all" : "own"}
            choices={[
              { value: "own", label: "Yours" },
              { value: "all", label: "All users" },
            ]}
            change={(of) => set({ allUsers: of === "all" })}
          />
        </div>
      )}
      {problem !== "" && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
