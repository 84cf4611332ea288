import type { Sink } from "../terminal/world.ts";

export const CAPTURING = "saving the workspace as it is";

/** Sooner than this there is nothing to wonder about. */
const PATIENCE_MS = 1000;

/** Says, once it has taken a moment, that a prompt waits for a capture. On a terminal the spinner says it. */
export const captureNotice = (
  sink: Sink,
): { tell(isCapturing: boolean): void } => {
  let timer: NodeJS.Timeout | undefined;
  return {
    tell(isCapturing) {
      if (!isCapturing) {
        clearTimeout(timer);
        timer = undefined;
      } else if (!sink.isTerminal)
        timer ??= setTimeout(
          () => sink.write(`(${CAPTURING} …)\n`),
          PATIENCE_MS,
        );
    },
  };
};
