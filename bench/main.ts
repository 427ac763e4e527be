import { formatDeliveryReport, runDeliveryBench } from "./delivery.ts";
import { formatDevLoopReport, runDevLoopBench } from "./dev-loop.ts";
import { formatExecutionsReport, runExecutionsBench } from "./executions.ts";
import { formatFirstEventReport, runFirstEventBench } from "./first-event.ts";
import { formatHarnessReport, runHarnessBench } from "./harness.ts";
import { formatInvocationReport, runInvocationBench } from "./invocation.ts";
import { machine } from "./machine.ts";
import { formatPackagesReport, runPackagesBench } from "./packages.ts";
import { runShortBench } from "./short.ts";
import { formatStorageReport, runStorageBench } from "./storage.ts";

async function runAll(): Promise<void> {
  console.log(machine());
  console.log(formatStorageReport(await runStorageBench()));
  console.log(formatInvocationReport(await runInvocationBench()));
  console.log(formatExecutionsReport(await runExecutionsBench()));
  console.log(formatDeliveryReport(await runDeliveryBench()));
  console.log(formatDevLoopReport(await runDevLoopBench()));
  console.log(formatFirstEventReport(await runFirstEventBench()));
  console.log(formatHarnessReport(await runHarnessBench()));
  console.log(formatPackagesReport(await runPackagesBench()));
}

const words = process.argv.slice(2);
if (words.includes("--short")) await runShortBench(words.includes("--update"));
else await runAll();
