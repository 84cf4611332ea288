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
 * Only the current request is to be executed: what the history tells has been done already.
 */
export interface Received {
  request: string;
  /** What the user said in the history, in order. */
  history: string[];
}

export const received = (prompt: string): Received => {
  const lines = prompt.split(/\r?\n/);
  // The last one, because a line of the history may look like it, and what stands in the history must not be run again.
  const request = lines.lastIndexOf("=== CURRENT REQUEST ===");
  if (lines[0] !== "RESUME CONTEXT FOR CONTINUING TASK" || request < 0)
    return { request: prompt, history: [] };
  const instructions = lines.lastIndexOf("=== INSTRUCTIONS ===");
  return {
    request: lines
      .slice(request + 1, instructions > request ? instructions : undefined)
      .join("\n")
      .trim(),
    history: userMessages(lines.slice(0, request)),
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
