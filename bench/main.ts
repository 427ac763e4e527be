import { formatDeliveryReport, runDeliveryBench } from "./delivery.ts";
import { formatInvocationReport, runInvocationBench } from "./invocation.ts";
import { machine } from "./machine.ts";
import { formatStorageReport, runStorageBench } from "./storage.ts";

console.log(machine());
console.log(formatStorageReport(await runStorageBench()));
console.log(formatInvocationReport(await runInvocationBench()));
console.log(formatDeliveryReport(await runDeliveryBench()));
