import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { ApiError, messageOf } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { askChoices, askProps, type DynamicProps, type FormTarget } from "./choices.ts";
import {
  type Draft,
  draftOf,
  type DraftValue,
  type Problems,
  problemsOf,
  type PropValues,
  readDraft,
  readField,
} from "./draft.ts";
import { PropField } from "./prop-field.tsx";
import { fieldKind, isStoredSecret, type PropShape } from "./prop-shape.ts";

interface PropsFormProps {
  readonly target: FormTarget;
  /** Those that the component declares. */
  readonly props: readonly PropShape[];
  /** What is configured now. */
  readonly values: PropValues;
  /** The verb on the button. */
  readonly action: string;
  /** Fields before those of the props. */
  readonly children?: ComponentChildren;
  /** Sends what differs from `values`. What it throws is shown at the fields. */
  readonly submit: (changes: PropValues, dynamicPropsId: string | undefined) => Promise<void>;
}

/**
 * The values of all fields that can be read, for questions to the component. A stored secret is left to the source; null stands
 * for another stored value whose field is empty.
 */
const valuesOf = (props: readonly PropShape[], draft: Draft, stored: PropValues): PropValues =>
  Object.fromEntries(
    props
      .filter((prop) => !/^(?:none|alert|timer)$/.test(fieldKind(prop)) && prop.static === undefined)
      .map((prop): [string, unknown] => {
        const old = stored[prop.name];
        const { value, problem } = readField(prop, draft[prop.name]);
        const isCleared = value === undefined && problem === undefined && old !== undefined && !isStoredSecret(old);
        return [prop.name, isCleared ? null : value];
      })
      .filter(([, value]) => value !== undefined),
  );

const draftsOf = (props: readonly PropShape[], values: PropValues): Draft =>
  Object.fromEntries(props.map((prop) => [prop.name, draftOf(prop, values[prop.name])]));

interface Dynamic {
  readonly shown: readonly PropShape[];
  readonly id: string | undefined;
  readonly problem: string | undefined;
  /** Asks the component again. */
  renew(draft: Draft): void;
}

/** The props of a component for the values so far; those that it adds are asked for when a prop says so. */
function useDynamicProps(
  target: FormTarget,
  declared: readonly PropShape[],
  draft: Draft,
  stored: PropValues,
): Dynamic {
  const [found, setFound] = useState<DynamicProps | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const turn = useRef(0);
  const reloads = declared.some(({ reloadProps }) => reloadProps === true);
  function renew(values: Draft): void {
    turn.current += 1;
    const mine = turn.current;
    const ask = (props: readonly PropShape[]): Promise<DynamicProps | undefined> =>
      askProps(target, valuesOf(props, values, stored), found?.id);
    // The values of props that are no longer added are refused.
    const asked = found
      ? ask(found.props).catch((error: unknown) =>
          error instanceof ApiError && error.code === "invalid_props" ? ask(declared) : Promise.reject(error),
        )
      : ask(declared);
    asked.then(
      (answer) => {
        if (mine !== turn.current) return;
        setFound(answer);
        setProblem(undefined);
      },
      (error: unknown) => mine === turn.current && setProblem(messageOf(error)),
    );
  }
  useEffect(() => {
    if (reloads) renew(draft);
  }, [target.component]);
  return { shown: found?.props ?? declared, id: found?.id, problem, renew };
}

/** A form for the props of a component: deploys and changes of sources use it. */
export function PropsForm({ target, props, values, action, children, submit }: PropsFormProps): JSX.Element {
  const [draft, setDraft] = useState<Draft>(() => draftsOf(props, values));
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const dynamic = useDynamicProps(target, props, draft, values);
  const { shown } = dynamic;

  // Props that the component has added get what is stored of them.
  const full = useMemo(() => {
    const added = shown.filter(({ name }) => !(name in draft));
    return added.length === 0 ? draft : { ...draft, ...draftsOf(added, values) };
  }, [shown, draft, values]);

  function change(prop: PropShape, held: DraftValue): void {
    const next = { ...full, [prop.name]: held };
    setDraft(next);
    setProblems((old) => Object.fromEntries(Object.entries(old).filter(([name]) => name !== prop.name)));
    if (prop.reloadProps) dynamic.renew(next);
  }

  function showProblems(found: Problems): void {
    setProblems(found);
    queueMicrotask(() => form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
  }

  async function send(): Promise<void> {
    const read = readDraft(shown, full, values);
    if (Object.keys(read.problems).length > 0) return showProblems(read.problems);
    setBusy(true);
    try {
      await submit(read.changes, dynamic.id);
      setProblems({});
    } catch (error) {
      const listed = error instanceof ApiError ? problemsOf(error.details.errors ?? []) : {};
      showProblems(Object.keys(listed).length > 0 ? listed : { "": messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  const fields = shown.filter((prop) => fieldKind(prop) !== "none");
  const other = Object.entries(problems).filter(([name]) => !fields.some((prop) => prop.name === name));
  return (
    <form
      ref={form}
      class="props-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
      {fields.length === 0 && <p class="dim">This component has no props to fill in.</p>}
      {fields.map((prop) => (
        <PropField
          key={prop.name}
          prop={prop}
          held={full[prop.name]}
          stored={values[prop.name]}
          problem={problems[prop.name]}
          change={(held) => change(prop, held)}
          load={(asked, signal) => {
            const given = valuesOf(shown, full, values);
            return askChoices({ target, prop, values: given, dynamicPropsId: dynamic.id, ...asked }, signal);
          }}
        />
      ))}
      {dynamic.problem !== undefined && (
        <div class="problem" role="alert">
          The component could not say which props it adds: {dynamic.problem}
        </div>
      )}
      {other.map(([name, message]) => (
        <div key={name} class="problem" role="alert">
          {message}
        </div>
      ))}
      <div class="row">
        <Button look="main-action" submit label={action} disabled={busy} />
      </div>
    </form>
  );
}
