import { closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { hasErrno } from "../../kit/errno.ts";
import { LinkError } from "../../contract/link/link-error.ts";

/** An agent takes a handful for as long as it runs, and more while it is started. */
const FOR_A_START = 24;
const AGAIN_MS = 1000;

/** Refuses starts that would leave the agents that run, or are being started, without descriptors. */
export class DescriptorReserve {
  /** Starts that are under way: they may not have taken theirs yet. */
  #starting = 0;

  /** What it returns gives the reservation back: it is called once the agent is up. */
  reserve(): () => void {
    checkLeft((this.#starting + 1) * FOR_A_START);
    this.#starting += 1;
    let isGivenBack = false;
    return () => {
      if (!isGivenBack) this.#starting -= 1;
      isGivenBack = true;
    };
  }
}

const checkLeft = (needed: number): void => {
  const taken: number[] = [];
  try {
    while (taken.length < needed) taken.push(openSync("/dev/null", "r"));
  } catch (error) {
    if (!areNoneLeft(error)) throw error;
    throw new LinkError(
      "too_many_files",
      "agentctl has nearly as many files open as it may, so it starts no further agent. Pause or end other sessions, or start Reprise with a higher limit of open files (ulimit -n), then resume the session.",
    );
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
};

/** For what must be done, if late: tries again for as long as no descriptor or no memory is left. */
export const onceDescriptorsAreLeft = async <T>(
  work: () => Promise<T>,
  onWait: (error: unknown) => void,
): Promise<T> => {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!areNoneLeft(error) && !hasErrno(error, "ENOMEM")) throw error;
      onWait(error);
      await pause(AGAIN_MS, undefined, { ref: false });
    }
};

const areNoneLeft = (error: unknown): boolean =>
  hasErrno(error, "EMFILE", "ENFILE");
