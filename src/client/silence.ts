export interface SilenceWatch {
  /** Aborts when nothing was heard for too long, when the parent does, and when closed. */
  readonly signal: AbortSignal;
  heard(): void;
  close(): void;
}

/** A half-open connection looks like a quiet one: only a clock tells them apart. */
export const watchForSilence = (
  ms: number,
  parent: AbortSignal | undefined,
): SilenceWatch => {
  const controller = new AbortController();
  const silent = (): void =>
    controller.abort(new Error(`nothing was heard for ${ms} ms`));
  const stop = (): void => controller.abort(parent?.reason);
  let timer = setTimeout(silent, ms);
  parent?.addEventListener("abort", stop);
  if (parent?.aborted === true) stop();
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(silent, ms);
    },
    close() {
      clearTimeout(timer);
      parent?.removeEventListener("abort", stop);
      controller.abort();
    },
  };
};
