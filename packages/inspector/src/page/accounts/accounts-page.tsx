import type { Account, App } from "@x/client";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

import { ApiError, messageOf, request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import { notify } from "../app/notices.ts";
import { count, plural } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { SearchedList, useSearchedList } from "../ui/searched-list.tsx";
import { Ago, Empty } from "../ui/status.tsx";
import { TableCard } from "../ui/table.tsx";
import { AccountDialog } from "./account-dialog.tsx";
import { ConnectDialog } from "./connect-dialog.tsx";

interface ChangeProps {
  readonly account: Account;
  readonly changed: () => void;
}

interface DeleteProps extends ChangeProps {
  readonly close: () => void;
  /** The error of a first try, when sources use the account. */
  readonly use: string;
  readonly used: (message: string) => void;
}

/** Asks before the deletion, and again when sources use the account. */
function DeleteAccount({ account, changed, close, use, used }: DeleteProps): JSX.Element {
  async function remove(): Promise<void> {
    try {
      await request("DELETE", `/accounts/${account.id}`, { query: use === "" ? {} : { force: true } });
      notify("done", "The account is deleted");
      changed();
    } catch (error) {
      if (error instanceof ApiError && error.code === "account_in_use") used(error.message);
      else notify("failed", messageOf(error));
    }
  }
  return (
    <Confirm
      key={use}
      title={use === "" ? `Delete ${account.name ?? account.app}?` : "Sources use this account"}
      action={use === "" ? "Delete" : "Delete anyway"}
      close={close}
      act={remove}
    >
      {use === "" ? "Its credentials are deleted with it." : use}
    </Confirm>
  );
}

function Row({ account, changed }: ChangeProps): JSX.Element {
  const [asked, ask] = useState<"edit" | "connect" | "delete">();
  const [use, setUse] = useState("");
  // The first dialog closes when the answer asks for the second one.
  const isFollowed = useRef(false);
  function close(): void {
    if (!isFollowed.current) {
      setUse("");
      ask(undefined);
    }
    isFollowed.current = false;
  }
  const done = (): void => {
    close();
    changed();
  };
  const name = account.name ?? account.app;
  return (
    <tr>
      <td>{account.app}</td>
      <td>
        {account.name ?? <span class="dim">–</span>}
        {account.oauth?.problem && <div class="field-problem">{account.oauth.problem.message}</div>}
      </td>
      <td class="mono dim">{account.id}</td>
      <td>
        <Ago at={account.updated_at * 1_000} />
      </td>
      <td>
        <span class="row to-end">
          {account.oauth && <Button look="quiet" label={`Connect ${name} again`} act={() => ask("connect")} />}
          <Button look="quiet" icon="edit" label={`Change ${name}`} iconOnly act={() => ask("edit")} />
          <Button look="quiet" icon="remove" label={`Delete ${name}`} iconOnly act={() => ask("delete")} />
        </span>
        {asked === "edit" && <AccountDialog account={account} close={close} done={done} />}
        {asked === "connect" && <ConnectDialog apps={[]} account={account} close={close} done={done} />}
        {asked === "delete" && (
          <DeleteAccount
            account={account}
            changed={changed}
            use={use}
            used={(message) => {
              isFollowed.current = true;
              setUse(message);
            }}
            close={close}
          />
        )}
      </td>
    </tr>
  );
}

/** Connected accounts. */
export default function AccountsPage(): JSX.Element {
  const searched = useSearchedList<Account>({ path: "/users/me/accounts", keyOf: ({ id }) => id });
  const apps = useResource("apps", async (signal) => {
    const answer = await request<{ data: App[] }>("GET", "/users/me/apps", { signal });
    return answer.data;
  });
  const [adding, setAdding] = useState<"connect" | "add">();
  const { list, isAll } = searched;
  const total = list.total.value;
  const end = (): void => setAdding(undefined);
  const done = (): void => {
    end();
    void list.reload();
  };
  return (
    <>
      <PageHead
        title="Accounts"
        actions={
          <>
            {(apps.data?.length ?? 0) > 0 && <Button label="Connect with an app" act={() => setAdding("connect")} />}
            <Button look="main-action" icon="add" label="Connect an account" act={() => setAdding("add")} />
          </>
        }
      >
        {total !== undefined && (
          <span class="dim number">{isAll ? plural(total, "account") : `${count(total)} found`}</span>
        )}
      </PageHead>
      <div class="page-body">
        <SearchedList
          label="Search accounts"
          searched={searched}
          empty={
            <Empty title="No accounts yet">
              <p>An account has the credentials of an app. Components with an app prop read them as $auth.</p>
            </Empty>
          }
        >
          {(shown) => (
            <TableCard label="Accounts" columns={["App", "Name", "Id", "Changed"]} hasActions>
              {shown.map((account) => (
                <Row key={account.id} account={account} changed={() => void list.reload()} />
              ))}
            </TableCard>
          )}
        </SearchedList>
      </div>
      {adding === "connect" && <ConnectDialog apps={apps.data ?? []} close={end} done={done} />}
      {adding === "add" && <AccountDialog close={end} done={done} />}
    </>
  );
}
