/** Thrown by `within` when time is up. */
export class DeadlineExceeded extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took longer than ${ms} ms`);
    this.name = "DeadlineExceeded";
  }
}

/** The promise's outcome, or `DeadlineExceeded` after `ms`. The work itself is not stopped: give it a signal for that. */
export const within = async <T>(
  what: string,
  ms: number,
  work: Promise<T>,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(what, ms)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
