const MEBIBYTE = 1024 * 1024;

/** How much the readable files of a session hold. The journal has all of it. */
export interface RecordLimits {
  /** Of the messages in `conversation.json`. */
  conversationBytes: number;
  /** Of `session.log` and of `history.jsonl`. */
  fileBytes: number;
}

export const DEFAULT_RECORD_LIMITS: RecordLimits = {
  conversationBytes: 16 * MEBIBYTE,
  fileBytes: 16 * MEBIBYTE,
};
