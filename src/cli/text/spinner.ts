import type { Sink } from "../world.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

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
    sink.write(
      `\r${sink.palette.cyan(FRAMES[frame++ % FRAMES.length] ?? "")} ${sink.palette.dim(words)}`,
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
