import type { Sink } from "./world.ts";
import { cut } from "./width.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

const MAX_COLUMNS = 80;
/** The frame, a space, and the last column: a terminal that is full to its edge begins another line. */
const BESIDES = 3;

export interface Spinner {
  show(words: string): void;
  hide(): void;
}

/** Something that moves while one waits, on a terminal only. Hide it before anything else is written. */
export const spinner = (sink: Sink): Spinner => {
  if (!sink.isTerminal) return { show: () => undefined, hide: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  let words = "";
  const draw = (): void => {
    const room = (sink.columns ?? MAX_COLUMNS) - BESIDES;
    sink.write(
      `\r${sink.palette.cyan(FRAMES[frame++ % FRAMES.length] ?? "")} ${sink.palette.dim(cut(words, room))}\x1b[K`,
    );
  };
  return {
    show(now) {
      words = now;
      timer ??= setInterval(draw, 100);
      timer.unref();
    },
    hide() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      sink.write("\r\x1b[K");
    },
  };
};

/** Waits for work with a spinner. */
export const spinning = async <T>(
  sink: Sink,
  words: string,
  work: Promise<T>,
): Promise<T> => {
  const waiting = spinner(sink);
  waiting.show(words);
  try {
    return await work;
  } finally {
    waiting.hide();
  }
};
