/** Why something was not done, in the words of whoever refused it. */
export const refusalWords = (error: unknown): string =>
  error instanceof Error && error.message !== ""
    ? error.message
    : "It was not done, and nobody said why.";
