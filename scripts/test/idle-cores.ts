/** How many cores had nothing to do since somebody last asked. */
import { between, idlePart, machineTime } from "./cpu.ts";

/** How long the machine is watched: what a unit takes at its start does not show before. */
export const LOOK_MS = 500;

export class IdleCores {
  readonly #cores: number;
  #since = performance.now();
  #seen = machineTime();

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** None while it has not watched for long enough. */
  count(): number {
    if (performance.now() - this.#since < LOOK_MS) return 0;
    const idle = idlePart(between(this.#seen, machineTime())) * this.#cores;
    this.lookAgain();
    return idle;
  }

  /** Something has started: what was seen before it says nothing any more. */
  lookAgain(): void {
    this.#since = performance.now();
    this.#seen = machineTime();
  }
}
