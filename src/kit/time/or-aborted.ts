/** The promise's outcome, or the signal's reason once it is aborted. The work itself is not stopped. */
export const orAborted = async <T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T> => {
  // Nobody else may be waiting for it: what it fails with then is nobody's fault.
  work.catch(() => undefined);
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};
