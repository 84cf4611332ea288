import type { Sink } from "../world.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface Spinner {
  show(): void;
  hide(): void;
}

/** Something that moves while one waits, on a terminal only. Hide it before anything else is written. */
export const spinner = (sink: Sink, words: string): Spinner => {
  if (!sink.isTerminal) return { show: () => undefined, hide: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let frame = 0;
  const draw = (): void => {
    sink.write(
      `\r${sink.palette.cyan(FRAMES[frame++ % FRAMES.length] ?? "")} ${sink.palette.dim(words)}`,
    );
  };
  return {
    show() {
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
  const waiting = spinner(sink, words);
  waiting.show();
  try {
    return await work;
  } finally {
    waiting.hide();
  }
};
