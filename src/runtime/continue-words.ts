/** Said to an agent whose turn was cut short. Never the same text again: the interrupted prompt is still in its context. */
export const CONTINUE =
  "Your previous turn was interrupted. Look at what is already done and continue from there.";
