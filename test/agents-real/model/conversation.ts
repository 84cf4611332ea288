/** A request to the model, the same for every API: all that the model knows. */
export interface Conversation {
  /** What was said, oldest first. */
  items: Item[];
  tools: Tool[];
  /** Whether the answer must be a JSON document: agents ask for titles and judgements that way. */
  wantsJson: boolean;
  /** Whether the answer is read as it comes. */
  streams: boolean;
}

export type Item =
  | { kind: "user"; text: string }
  | { kind: "assistant"; text: string }
  | { kind: "call"; name: string }
  | { kind: "result"; text: string };

export interface Tool {
  name: string;
  /** The properties of its arguments by JSON Schema; null when it takes plain text. */
  properties: Record<string, Property> | null;
  required: readonly string[];
}

export interface Property {
  type?: string | string[] | undefined;
}

/** What the model must answer to: the newest prompt, or the newest result of a tool that it called. */
export type Question =
  | { kind: "prompt"; text: string; before: string }
  | { kind: "result"; text: string };

export const questionOf = ({ items }: Conversation): Question | null => {
  for (const [index, item] of [...items.entries()].toReversed()) {
    if (item.kind === "result") return item;
    if (item.kind !== "user") return null;
    const text = withoutRemarks(item.text);
    if (text === "") continue;
    return { kind: "prompt", text, before: textOf(items.slice(0, index)) };
  }
  return null;
};

/** All that was said, as text. */
export const textOf = (items: readonly Item[]): string =>
  items.map((item) => (item.kind === "call" ? "" : item.text)).join("\n");

/** Agents add remarks of their own to what the user says: `<system-reminder>…</system-reminder>` and the like. */
const withoutRemarks = (text: string): string =>
  text.replaceAll(/<([a-z][\w-]*)>[\s\S]*?<\/\1>/gi, "").trim();
