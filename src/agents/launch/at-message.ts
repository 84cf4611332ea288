/** The name in `_meta` of the message behind which a session is taken up, and of the last one that a turn left. */
export const AT_MESSAGE = "reprise/at";
