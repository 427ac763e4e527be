import type { JSX } from "preact";
import { useId } from "preact/hooks";

import { CodeEditor } from "../ui/code-editor.tsx";
import type { RequestDraft } from "./request-draft.ts";
import { signatureSchemes } from "./signature.ts";

interface FieldsProps {
  readonly draft: RequestDraft;
  readonly change: (draft: RequestDraft) => void;
  readonly secret: string;
  readonly changeSecret: (secret: string) => void;
}

const methods = ["POST", "GET", "PUT", "PATCH", "DELETE", "HEAD"];

/** The parts of a request: method, path with query, headers, body, and how it is signed. */
export function RequestFields({ draft, change, secret, changeSecret }: FieldsProps): JSX.Element {
  const id = useId();
  const set = (part: Partial<RequestDraft>): void => change({ ...draft, ...part });
  const known = methods.includes(draft.method) ? methods : [...methods, draft.method];
  return (
    <div class="request-fields">
      <div class="row">
        <select
          class="input fitting-text"
          aria-label="Method"
          value={draft.method}
          onChange={({ currentTarget }) => set({ method: currentTarget.value })}
        >
          {known.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
        <input
          class="input mono"
          aria-label="Path and query"
          value={draft.path}
          spellcheck={false}
          onInput={({ currentTarget }) => set({ path: currentTarget.value })}
        />
      </div>
      <label class="field-label" for={`${id}-headers`}>
        Headers
      </label>
      <textarea
        id={`${id}-headers`}
        class="input mono"
        rows={3}
        spellcheck={false}
        value={draft.headers}
        onInput={({ currentTarget }) => set({ headers: currentTarget.value })}
      />
      <span class="field-label">Body</span>
      <CodeEditor label="Body" language="json" value={draft.body} change={(body) => set({ body })} />
      <div class="row wrap signing">
        <select
          class="input fitting-text"
          aria-label="Signature"
          value={draft.scheme}
          onChange={({ currentTarget }) => set({ scheme: currentTarget.value })}
        >
          <option value="">Not signed</option>
          {signatureSchemes.map(({ id: scheme, label }) => (
            <option key={scheme} value={scheme}>
              {label}
            </option>
          ))}
        </select>
        {draft.scheme !== "" && (
          <input
            class="input grow"
            type="password"
            autocomplete="off"
            aria-label="Secret"
            placeholder="Secret: signs the body anew, and is not kept"
            value={secret}
            onInput={({ currentTarget }) => changeSecret(currentTarget.value)}
          />
        )}
      </div>
    </div>
  );
}
