/** Processes that do nothing but keep the processors busy. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

/** So many per core. */
const PER_CORE = 2;

export const startBusyLoops = async (): Promise<AsyncDisposable> => {
  const loops = Array.from({ length: PER_CORE * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  await Promise.all(loops.map((loop) => once(loop, "spawn")));
  // Whoever ends the runner in a hurry does not leave them behind.
  const end = (): void => loops.forEach((loop) => loop.kill("SIGKILL"));
  process.once("exit", end);
  return {
    async [Symbol.asyncDispose]() {
      process.off("exit", end);
      const ended = loops.map((loop) => once(loop, "exit"));
      end();
      await Promise.all(ended);
    },
  };
};
