/** The files under `sessions/<id>/`. Their names are part of the public face. */
export const fileNames = [
  "conversation.json",
  "history.jsonl",
  "session.log",
  "summary.json",
  "metadata.json",
] as const;
