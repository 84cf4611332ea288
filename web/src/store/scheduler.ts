/** Time, as the stores use it: given from outside, so that tests need not wait. */
export interface Scheduler {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once, later. The returned function prevents it. */
  after(ms: number, run: () => void): () => void;
  /** Runs something before the next picture is drawn. */
  frame(run: () => void): () => void;
}

/** In a tab that is not visible no pictures are drawn: then this is how long changes wait for each other. */
const HIDDEN_FRAME_MS = 200;

export const browserScheduler: Scheduler = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  frame: (run) => {
    const cancel = (): void => {
      cancelAnimationFrame(drawn);
      clearTimeout(timer);
    };
    const once = (): void => {
      cancel();
      run();
    };
    const drawn = requestAnimationFrame(once);
    const timer = setTimeout(once, HIDDEN_FRAME_MS);
    return cancel;
  },
};
