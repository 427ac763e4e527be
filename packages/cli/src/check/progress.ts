import { type RegistryProgress, systemClock } from "@x/runtime";

const barWidth = 30;
const everyMs = 200;

/** One line with a bar. */
export function progressLine({ evaluated, refused, total }: RegistryProgress): string {
  const done = evaluated + refused;
  const filled = total === 0 ? 0 : Math.round((barWidth * done) / total);
  return `[${"#".repeat(filled)}${" ".repeat(barWidth - filled)}] ${done} of ${total} components, ${refused} refused`;
}

/** Shows the progress on a terminal until it is disposed of; elsewhere nothing. */
export function showProgress(progress: () => RegistryProgress, output: NodeJS.WriteStream): Disposable {
  if (!output.isTTY) return { [Symbol.dispose]: () => undefined };
  let cancel: () => void;
  const show = (): void => {
    output.write(`\r\u001B[K${progressLine(progress())}`);
    cancel = systemClock.wakeAt(systemClock.now() + everyMs, show);
  };
  show();
  return {
    [Symbol.dispose]() {
      cancel();
      output.write("\r\u001B[K");
    },
  };
}
