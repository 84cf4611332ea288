/** Whether a system call failed in one of these ways. */
export const hasErrno = (
  error: unknown,
  ...codes: readonly string[]
): boolean =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  codes.includes(error.code);
