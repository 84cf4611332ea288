/** What a prompt tells the scripted model to do: one line of it, the last that fits. */
export type Command =
  | { kind: "store" }
  | { kind: "recall" }
  | { kind: "stream"; chunks: number; everyMs: number }
  | { kind: "shell"; line: string }
  | { kind: "write"; path: string; text: string }
  /** Calls any tool by the end of its name; the arguments are JSON, in which `$session` is the last session that was named. */
  | { kind: "tool"; name: string; input: string }
  | { kind: "quota"; seconds: number };

export const commandIn = (prompt: string): Command | null => {
  for (const line of prompt.split("\n").toReversed()) {
    const command = parse(line.trim());
    if (command !== null) return command;
  }
  return null;
};

/** The newest passkey that was stored, as far as this text knows. */
export const passkeyIn = (text: string): string | null =>
  [...text.matchAll(/store passkey ([\w-]+)/g)].at(-1)?.[1] ?? null;

const parse = (line: string): Command | null => {
  const [verb, ...words] = line.split(" ");
  const rest = words.join(" ");
  switch (verb) {
    case "store":
      return passkeyIn(line) === null ? null : { kind: "store" };
    case "say":
      return rest === "the passkey" ? { kind: "recall" } : null;
    case "stream":
      return {
        kind: "stream",
        chunks: Number(words[0]),
        everyMs: Number(words[1]),
      };
    case "shell":
      return { kind: "shell", line: rest };
    case "write":
      return {
        kind: "write",
        path: words[0] ?? "",
        text: words.slice(1).join(" "),
      };
    case "tool":
      return {
        kind: "tool",
        name: words[0] ?? "",
        input: words.slice(1).join(" "),
      };
    case "quota":
      return { kind: "quota", seconds: Number(words[0]) };
    default:
      return null;
  }
};
