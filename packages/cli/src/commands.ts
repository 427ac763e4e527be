import type { Command, NamedCommand } from "./command.ts";

/** A command before it is loaded. */
export interface CommandRow {
  readonly name: string;
  /** One line of help. */
  readonly about: string;
  /** Loads it when it is used: loading modules takes most of the time of a short command. */
  readonly load: () => Promise<Command>;
}

/** Commands for one purpose. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandRow[];
}

/** The commands of x, as the help lists them. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: "Write components",
    commands: [
      {
        name: "new",
        about: "Start a component with its test",
        load: async () => (await import("./new/new.ts")).newCommand,
      },
      {
        name: "dev",
        about: "Run components and workflows, and reload them on change",
        load: async () => (await import("./dev/dev.ts")).devCommand,
      },
      {
        name: "run",
        about: "Run a component once, in memory",
        load: async () => (await import("./run/run.ts")).runCommand,
      },
      {
        name: "test",
        about: "Run the tests of this project (vitest)",
        load: async () => (await import("./run-tests.ts")).testCommand,
      },
      {
        name: "lint",
        about: "Check components without running them",
        load: async () => (await import("./lint/lint.ts")).lintCommand,
      },
      {
        name: "check",
        about: "Say which components of a folder run, which are refused and why, and which accounts they need",
        load: async () => (await import("./check/check.ts")).checkCommand,
      },
      {
        name: "types",
        about: "Print TypeScript types of events",
        load: async () => (await import("./types/types-command.ts")).typesCommand,
      },
      {
        name: "publish",
        about: "Publish a component in a registry",
        load: async () => (await import("./publish.ts")).publishCommand,
      },
    ],
  },
  {
    title: "Serve them",
    commands: [
      {
        name: "serve",
        about: "Serve components and the REST interface",
        load: async () => (await import("./serve/serve.ts")).serveCommand,
      },
      {
        name: "users",
        about: "Add users, list them, renew their API keys",
        load: async () => (await import("./users/users.ts")).usersCommand,
      },
      {
        name: "secret-key",
        about: "Encrypt the secrets of a data folder or schema with a new key",
        load: async () => (await import("./secret-key.ts")).secretKeyCommand,
      },
      {
        name: "demo",
        about: "Serve the examples and show events as they arrive",
        load: async () => (await import("./demo.ts")).demoCommand,
      },
    ],
  },
  {
    title: "Use a running service",
    commands: [
      {
        name: "deploy",
        about: "Deploy components to a running service, in place",
        load: async () => (await import("./deploy/deploy.ts")).deployCommand,
      },
      {
        name: "apply",
        about: "Make a service match x.config.ts",
        load: async () => (await import("./apply/apply.ts")).applyCommand,
      },
      {
        name: "diff",
        about: "Show what x apply, or x deploy FILE, would change",
        load: async () => (await import("./apply/apply.ts")).diffCommand,
      },
      {
        name: "components",
        about: "List the components of the registry that a service has",
        load: async () => (await import("./client/components.ts")).componentsCommand,
      },
      {
        name: "sources",
        about: "List, deploy, change, run and remove sources of a service",
        load: async () => (await import("./client/sources.ts")).sourcesCommand,
      },
      {
        name: "events",
        about: "Show the events of a source, and follow them",
        load: async () => (await import("./client/events.ts")).eventsCommand,
      },
      {
        name: "logs",
        about: "Show the logs of sources, and follow them",
        load: async () => (await import("./client/events.ts")).logsCommand,
      },
      {
        name: "runs",
        about: "List, show, follow and repeat the runs of sources, and turn them into tests",
        load: async () => (await import("./client/runs.ts")).runsCommand,
      },
      {
        name: "db",
        about: "Read and write the db of a source ($.service.db)",
        load: async () => (await import("./client/db.ts")).dbCommand,
      },
      {
        name: "data-stores",
        about: "Read and write data stores, which sources share (data_store)",
        load: async () => (await import("./client/data-stores.ts")).dataStoresCommand,
      },
      {
        name: "webhooks",
        about: "Send events to URLs, and list the deliveries",
        load: async () => (await import("./client/webhooks.ts")).webhooksCommand,
      },
      {
        name: "subscriptions",
        about: "Send events to sources, workflows and webhooks",
        load: async () => (await import("./client/subscriptions.ts")).subscriptionsCommand,
      },
      {
        name: "accounts",
        about: "Connect accounts of apps, for components that need them",
        load: async () => (await import("./client/accounts.ts")).accountsCommand,
      },
      {
        name: "apps",
        about: "Set how accounts of apps are connected, and where the events of apps arrive",
        load: async () => (await import("./client/apps.ts")).appsCommand,
      },
    ],
  },
  {
    title: "More",
    commands: [
      {
        name: "nodes",
        about: "List the processes that share the data of a service",
        load: async () => (await import("./client/nodes.ts")).nodesCommand,
      },
      {
        name: "doctor",
        about: "Look for what keeps a service from working, and say what to do",
        load: async () => (await import("./doctor/doctor.ts")).doctorCommand,
      },
      {
        name: "backup",
        about: "Copy the data of a folder into FILE, also while a service runs",
        load: async () => (await import("./data/backup.ts")).backupCommand,
      },
      {
        name: "restore",
        about: "Make a data folder of a backup",
        load: async () => (await import("./data/restore.ts")).restoreCommand,
      },
      {
        name: "export",
        about: "Write all data into FILE, for x import",
        load: async () => (await import("./data/export.ts")).exportCommand,
      },
      {
        name: "import",
        about: "Fill an empty folder or schema with an export",
        load: async () => (await import("./data/import.ts")).importCommand,
      },
      {
        name: "listen",
        about: "Send captured requests to the endpoint of a source",
        load: async () => (await import("./listen/listen.ts")).listenCommand,
      },
      {
        name: "inspector",
        about: "Print a new sign-in link to the inspector of a service",
        load: async () => (await import("./client/inspector.ts")).inspectorCommand,
      },
      {
        name: "completion",
        about: "Print a script with which a shell completes x",
        load: async () => (await import("./completion/completion.ts")).completionCommand(everyCommand),
      },
      {
        name: "explain",
        about: "Explain an error code, with cause and fix",
        load: async () => (await import("./explain/explain.ts")).explainCommand,
      },
    ],
  },
];

const rows: ReadonlyMap<string, CommandRow> = new Map(
  commandGroups.flatMap(({ commands }) => commands.map((row) => [row.name, row] as const)),
);

export const commandNames: readonly string[] = [...rows.keys()];

const loadRow = async ({ name, about, load }: CommandRow): Promise<NamedCommand> => ({
  ...(await load()),
  name,
  about,
});

/** Undefined when x has no such command. */
export async function loadCommand(name: string): Promise<NamedCommand | undefined> {
  const row = rows.get(name);
  return row && loadRow(row);
}

export const everyCommand = (): Promise<NamedCommand[]> => Promise.all([...rows.values()].map(loadRow));
