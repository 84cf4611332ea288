/** How long an agent that is stopped may take to go by itself. */
export const STOP_GRACE_MS = 3000;
