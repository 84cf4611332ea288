/**
 * A prompt as it arrives may have the history of an earlier session put before it:
 *
 *     RESUME CONTEXT FOR CONTINUING TASK
 *
 *     === EXECUTION HISTORY ===
 *     [USER]: …
 *     [ASSISTANT]: …
 *
 *     === CURRENT REQUEST ===
 *     …
 *
 *     === INSTRUCTIONS ===
 *     …
 *
 * or what it was at when it was cut off, where it had not written that down:
 *
 *     === CUT OFF BEFORE THIS ===
 *     …
 *     [USER]: …
 *     === END OF WHAT WAS CUT OFF ===
 *
 * Only the current request is to be executed: what the rest tells has been done already, or begun.
 */
export interface Received {
  request: string;
  /** What the user said in the history, in order. */
  history: string[];
}

export const received = (prompt: string): Received => {
  const { lines, reminded } = withoutReminder(prompt.split(/\r?\n/));
  // The last one, because a line of the history may look like it, and what stands in the history must not be run again.
  const request = lines.lastIndexOf("=== CURRENT REQUEST ===");
  if (lines[0] !== "RESUME CONTEXT FOR CONTINUING TASK" || request < 0)
    return { request: lines.join("\n"), history: reminded };
  const instructions = lines.lastIndexOf("=== INSTRUCTIONS ===");
  return {
    request: lines
      .slice(request + 1, instructions > request ? instructions : undefined)
      .join("\n")
      .trim(),
    history: userMessages(lines.slice(0, request)),
  };
};

const withoutReminder = (
  lines: string[],
): { lines: string[]; reminded: string[] } => {
  const start = lines.indexOf("=== CUT OFF BEFORE THIS ===");
  const end = lines.lastIndexOf("=== END OF WHAT WAS CUT OFF ===");
  if (start < 0 || end < start) return { lines, reminded: [] };
  return {
    // A blank line sets it apart.
    lines: [...lines.slice(0, start), ...lines.slice(end + 2)],
    reminded: userMessages(lines.slice(start, end)),
  };
};

const userMessages = (lines: readonly string[]): string[] => {
  const messages: string[] = [];
  let inMessage = false;
  for (const line of lines) {
    const [entry, said] = /^\[USER\]: ?(.*)$/.exec(line) ?? [];
    if (entry !== undefined) messages.push(said ?? "");
    else if (inMessage && !startsEntry(line))
      messages.push(`${messages.pop()}\n${line}`);
    inMessage = entry !== undefined || (inMessage && !startsEntry(line));
  }
  return messages.map((message) => message.trim());
};

const startsEntry = (line: string): boolean =>
  /^\[(USER|ASSISTANT|TOOL CALL|TOOL RESULT)\b[^\]]*\]/.test(line);
