/**
 * How much of an agent's output to read at once. What is read at once is understood at once, and other agents wait
 * meanwhile: that takes longest for many short lines, and next to nothing for a piece of a long one.
 */
export class ReadSize {
  bytes = MIN_READ;

  /** So many bytes came when as many as could be were asked for, and so many lines ended in them. */
  learn(bytes: number, lines: number): void {
    if (lines > MANY_LINES) this.bytes = MIN_READ;
    else if (bytes === this.bytes && lines < FEW_LINES)
      this.bytes = Math.min(2 * bytes, MAX_READ);
  }
}

const MIN_READ = 8 * 1024;
export const MAX_READ = 64 * 1024;
const FEW_LINES = 8;
const MANY_LINES = 32;
