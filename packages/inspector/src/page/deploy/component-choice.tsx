import type { AnswerOf } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { ApiError, messageOf, request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { Button } from "../ui/button.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { DeployedComponent } from "./deployed-component.ts";

interface ChoiceProps {
  readonly choose: (component: DeployedComponent) => void;
}

const read = async (path: string): Promise<DeployedComponent> =>
  (await request<DataOf<DeployedComponent>>("GET", path)).data;

/** Saves code or a URL as a component. */
const save = async (body: Readonly<Record<string, string>>): Promise<DeployedComponent> =>
  (await request<DataOf<DeployedComponent>>("POST", "/components", { body })).data;

/** What is wrong with a component: each problem in its own line. */
function problemText(error: unknown): string {
  const listed = error instanceof ApiError ? (error.details.errors ?? []) : [];
  return listed.length === 0
    ? messageOf(error)
    : listed.map(({ path, message }) => [path, message].filter(Boolean).join(": ")).join("\n");
}

type RegistryPage = AnswerOf<"GET /components/registry">;

/** How much of the registry is known, while it is being read. */
function Progress({ known, evaluated, refused, total }: RegistryPage["progress"]): JSX.Element | null {
  if (evaluated + refused >= total) return null;
  return (
    <p class="dim" role="status">
      Being read: {known} of {total} known, {evaluated} evaluated
    </p>
  );
}

/** Components of the registry, by their keys. */
export function FromRegistry({ choose }: ChoiceProps): JSX.Element {
  const [search, setSearch] = useState("");
  const [error, setError] = useState<unknown>();
  const path = `/components/registry?limit=100&q=${encodeURIComponent(search)}`;
  const loaded = useResource(path, (signal) => request<RegistryPage>("GET", path, { signal }));
  const entries = loaded.data?.data ?? [];
  const more = (loaded.data?.page_info.total_count ?? 0) - entries.length;
  async function take(key: string): Promise<void> {
    try {
      choose(await read(`/components/registry/${encodeURIComponent(key)}`));
    } catch (failure) {
      setError(failure);
    }
  }
  return (
    <div class="stack">
      <SearchBox label="Search the registry" value={search} change={setSearch} />
      {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
      {error !== undefined && <Problem error={error} />}
      {!loaded.data && loaded.loading && <Loading what="Reading the registry" />}
      {loaded.data && <Progress {...loaded.data.progress} />}
      {loaded.data && entries.length === 0 && (
        <Empty title={loaded.data.progress.total === 0 ? "The registry is empty" : "No component matches"}>
          {loaded.data.progress.total === 0 && <p>x serve --registry DIR offers every component of a folder here.</p>}
        </Empty>
      )}
      <ul class="registry">
        {entries.map(({ key, name = key, version = "" }) => (
          <li key={key}>
            <button type="button" onClick={() => void take(key)}>
              <strong class="cut">{name}</strong>
              <span class="mono dim cut">{key}</span>
              <span class="dim number">{version}</span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="dim">and {more} more: search for them</p>}
    </div>
  );
}

/** A component that lies at a URL. */
export function FromUrl({ choose }: ChoiceProps): JSX.Element {
  const [url, setUrl] = useState("");
  const [problem, setProblem] = useState("");
  async function take(): Promise<void> {
    try {
      choose(await save({ component_url: url.trim() }));
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void take();
      }}
    >
      <TextField
        label="URL of the code"
        value={url}
        change={setUrl}
        required
        problem={problem}
        about="Imports beside it are fetched from the same origin."
      />
      <div>
        <Button look="main-action" label="Continue" act={take} />
      </div>
    </form>
  );
}

const example = `export default {
  name: "Ticks",
  version: "0.1.0",
  props: {
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    word: { type: "string", default: "tick", optional: true },
  },
  run(event) {
    this.$emit({ word: this.word, at: event.timestamp }, { summary: this.word });
  },
};
`;

/** Code that is pasted or written here. */
export function FromCode({ choose }: ChoiceProps): JSX.Element {
  const [code, setCode] = useState(example);
  const [problem, setProblem] = useState("");
  async function take(): Promise<void> {
    try {
      setProblem("");
      choose(await save({ component_code: code }));
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  return (
    <div class="stack">
      <CodeEditor label="Code of the component" language="javascript" value={code} change={setCode} />
      {problem !== "" && (
        <pre class="problem trace" role="alert">
          {problem}
        </pre>
      )}
      <div>
        <Button look="main-action" label="Continue" act={take} />
      </div>
    </div>
  );
}
