import type { UserEntry } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import { session } from "../api/session.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import { plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmedButton } from "../ui/confirmed-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { LongList } from "../ui/long-list.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Ago, Badge, Loading, Problem } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";
import { TextField } from "../ui/text-field.tsx";
import { KeyDialog } from "../webhooks/key-dialog.tsx";

interface AddProps {
  readonly close: () => void;
  readonly done: (key: string) => void;
}

function AddUser({ close, done }: AddProps): JSX.Element {
  const [username, setUsername] = useState("");
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState("");
  async function submit(): Promise<void> {
    try {
      const body = { username: username.trim(), ...(email === "" ? {} : { email }) };
      const { data } = await request<DataOf<{ api_key: string }>>("POST", "/users", { body });
      done(data.api_key);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <Dialog
      title="Add a user"
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label="Add" act={submit} />
        </>
      }
    >
      <TextField label="User name" value={username} change={setUsername} problem={problem} required />
      <TextField label="Email" value={email} change={setEmail} about="Optional" />
    </Dialog>
  );
}

interface RowProps {
  readonly user: UserEntry;
  readonly isFirst: boolean;
  readonly rotated: (key: string) => void;
}

function Row({ user, isFirst, rotated }: RowProps): JSX.Element {
  const isOwn = user.id === session.value?.user.id;
  return (
    <tr>
      <td>
        <span class="row">
          {user.username}
          {isFirst && <Badge tone="info">first user</Badge>}
        </span>
      </td>
      <td>{user.email}</td>
      <td class="mono dim">{user.id}</td>
      <td>{user.created_at !== undefined && <Ago at={user.created_at * 1_000} />}</td>
      <td>
        <span class="row to-end">
          <ConfirmedButton
            icon="reload"
            look="quiet"
            label={`Rotate key of ${user.username}`}
            title={`Rotate the API key of ${user.username}?`}
            action="Rotate"
            act={() =>
              attempt(async () => {
                const { data } = await request<DataOf<{ api_key: string }>>("POST", `/users/${user.id}/rotate_key`, {
                  body: {},
                });
                rotated(data.api_key);
              })
            }
          >
            The old key stops working at once, and its sessions end.
            {isOwn && " This is your own key: you are signed out here, so copy the new one first."}
          </ConfirmedButton>
        </span>
      </td>
    </tr>
  );
}

/** All users; only the first user has this page. */
export default function UsersPage(): JSX.Element {
  const loaded = useResource("users", (signal) => request<{ data: readonly UserEntry[] }>("GET", "/users", { signal }));
  const [adding, setAdding] = useState(false);
  const [key, setKey] = useState<string>();
  const users = loaded.data?.data;
  return (
    <>
      <PageHead
        title="Users"
        actions={<Button look="main-action" icon="add" label="Add a user" act={() => setAdding(true)} />}
      >
        {users && <span class="dim number">{plural(users.length, "user")}</span>}
      </PageHead>
      <div class="page-body">
        {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
        {!users && loaded.loading && <Loading />}
        {users && (
          <LongList label="Search users" items={users} textsOf={({ id, username, email }) => [username, email, id]}>
            {(shown) => (
              <TableCard label="Users" columns={["User", "Email", "Id", "Added"]} hasActions>
                {shown.map((user) => (
                  <Row key={user.id} user={user} isFirst={user === users[0]} rotated={setKey} />
                ))}
              </TableCard>
            )}
          </LongList>
        )}
      </div>
      {adding && (
        <AddUser
          close={() => setAdding(false)}
          done={(made) => {
            setAdding(false);
            setKey(made);
            loaded.reload();
          }}
        />
      )}
      {key !== undefined && (
        <KeyDialog title="The API key" about="It is shown only now." secret={key} close={() => setKey(undefined)} />
      )}
    </>
  );
}
