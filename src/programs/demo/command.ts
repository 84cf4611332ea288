/** What the demo agent understands: one command per line of a prompt, everything else is talk. */
export type Command =
  | { kind: "remember"; key: string; value: string }
  | { kind: "recall"; key: string }
  | { kind: "count"; to: number; every: number }
  | { kind: "write"; path: string; text: string }
  | { kind: "ask"; text: string }
  | { kind: "ask-write"; path: string; text: string }
  | { kind: "run"; command: string }
  | { kind: "sleep"; ms: number }
  | { kind: "big"; kib: number }
  /** Its quota is used up for so long; null: it does not say for how long. */
  | { kind: "quota"; seconds: number | null }
  | { kind: "crash" }
  | { kind: "talk"; text: string };

/** Whether it writes files, or may. */
export const changesThings = ({ kind }: Command): boolean =>
  kind === "write" || kind === "ask-write" || kind === "run";

export const commandsOf = (prompt: string): Command[] => {
  const commands: Command[] = [];
  for (const line of prompt.split(/\r?\n/)) {
    const command = commandOf(line.trim());
    const last = commands.at(-1);
    if (command) commands.push(command);
    // Talk of several lines gets one answer; the blank lines inside it belong to it.
    else if (last?.kind === "talk") last.text += `\n${line}`;
    else if (line.trim() !== "") commands.push({ kind: "talk", text: line });
  }
  return commands.map((command) =>
    command.kind === "talk"
      ? { ...command, text: command.text.trim() }
      : command,
  );
};

const commandOf = (line: string): Command | null => {
  const [, name = "", rest = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(line) ?? [];
  switch (name) {
    case "remember": {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(rest) ?? [];
      if (key === undefined || value === undefined) return null;
      return { kind: "remember", key: key.trim(), value: value.trim() };
    }
    case "recall":
      return rest === "" ? null : { kind: "recall", key: rest };
    case "count": {
      const [to, every] = numbers(rest, 2);
      if (to === undefined || every === undefined) return null;
      return { kind: "count", to, every };
    }
    case "write":
    case "ask-write": {
      const [, path, text = ""] = /^(\S+)(?:\s(.*))?$/s.exec(rest) ?? [];
      return path === undefined ? null : { kind: name, path, text };
    }
    case "ask":
      return rest === "" ? null : { kind: "ask", text: rest };
    case "run":
      return rest === "" ? null : { kind: "run", command: rest };
    case "sleep": {
      const [ms] = numbers(rest, 1);
      return ms === undefined ? null : { kind: "sleep", ms };
    }
    case "big": {
      const [kib] = numbers(rest, 1);
      return kib === undefined ? null : { kind: "big", kib };
    }
    case "quota": {
      const [seconds] = numbers(rest, 1);
      if (seconds !== undefined) return { kind: "quota", seconds };
      return rest === "" ? { kind: "quota", seconds: null } : null;
    }
    case "crash":
      return rest === "" ? { kind: "crash" } : null;
    default:
      return null;
  }
};

/** Exactly `count` whole numbers, or none. */
const numbers = (text: string, count: number): number[] => {
  const words = text.split(/\s+/);
  return words.length === count && words.every((word) => /^\d{1,9}$/.test(word))
    ? words.map(Number)
    : [];
};
