import { unreachable } from "../../../src/kit/unreachable.ts";
import { commandIn, passkeyIn } from "./command.ts";
import { questionOf, type Conversation } from "./conversation.ts";
import { namedCall, shellCall, writeCall, type Call } from "./offered.ts";

export type Reply =
  | { kind: "text"; chunks: string[]; everyMs: number }
  | ({ kind: "call" } & Call)
  | { kind: "quota"; seconds: number };

/** What the scripted model answers. Its memory is the conversation it is given. */
export const decide = (conversation: Conversation): Reply => {
  if (isAside(conversation))
    return text(conversation.wantsJson ? aside : "An answer on the side");
  const question = questionOf(conversation);
  if (question === null) return text("There is nothing to answer");
  if (question.kind === "result")
    return text(`The tool said: ${question.text}`);

  const command = commandIn(question.text);
  if (command === null) return text(`Heard: ${question.text.slice(0, 200)}`);
  switch (command.kind) {
    case "store":
      return text("stored");
    case "recall":
      return text(
        passkeyIn(question.text) ?? passkeyIn(question.before) ?? "unknown",
      );
    case "stream":
      return {
        kind: "text",
        chunks: Array.from(
          { length: command.chunks },
          (_, index) => `${index + 1} `,
        ),
        everyMs: command.everyMs,
      };
    case "shell":
      return callOr(shellCall(conversation.tools, command.line), "shell");
    case "write":
      return callOr(
        writeCall(conversation.tools, command.path, command.text),
        "write",
      );
    case "tool":
      return callOr(
        namedCall(conversation.tools, command, question.before),
        command.name,
      );
    case "quota":
      return command;
    default:
      return unreachable(command);
  }
};

/**
 * Agents ask for titles, summaries and judgements on the side: without tools or for a document, unlike the conversation
 * itself. Claude Code also lets the conversation guess what its user might say next.
 */
export const isAside = (conversation: Conversation): boolean => {
  if (conversation.tools.length === 0 || conversation.wantsJson) return true;
  const question = questionOf(conversation);
  return (
    question?.kind === "prompt" && question.text.startsWith("[SUGGESTION MODE:")
  );
};

/** Fits whatever small document they want: a title, a flag, a reason. */
const aside = JSON.stringify({
  title: "A title",
  isNewTopic: false,
  reasoning: "scripted",
  next_speaker: "user",
});

const text = (words: string): Reply => ({
  kind: "text",
  chunks: [words],
  everyMs: 0,
});

const callOr = (call: Call | null, what: string): Reply =>
  call === null
    ? text(`No tool to ${what} with was offered`)
    : { kind: "call", ...call };
