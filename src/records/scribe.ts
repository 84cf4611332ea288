/**
 * What the readable files of a session say, as a fold of its events: whoever starts from the first event gets the same
 * files. An agent's message enters the log and the history when it is complete.
 */
import { describeEnding } from "../contract/ending.ts";
import type { Event } from "../contract/event.ts";
import type { Message } from "../contract/message.ts";
import type { Conversation } from "../session/project.ts";
import { emptyConversation, project } from "../session/project.ts";

export interface Page {
  log: string;
  history: string;
}

export class Scribe {
  readonly conversation: Conversation = emptyConversation();
  /** The message the agent is still writing, and the tool calls without a result. */
  #unfinished: string | null = null;
  readonly #openTools = new Set<string>();
  #prompts = new Map<string, string>();
  #injected = new Map<string, string>();

  /** What this event adds to the log and to the history. */
  write(event: Event): Page {
    const changed = project(this.conversation, event);
    const page = new Lines(event.at);
    if (interrupts(event, this.#unfinished)) this.#finish(page);
    this.#enter(event, changed, page);
    return page.done();
  }

  #enter(event: Event, changed: Message | null, page: Lines): void {
    switch (event.type) {
      case "session.created": {
        const { definition } = event.data;
        page.log(
          "SESSION CREATED",
          `Agent: ${definition.agent}\nDirectory: ${event.data.cwd}`,
        );
        page.log(
          "DYNAMIC TOOL RESTRICTIONS APPLIED",
          `Allowed Tools: ${definition.allowed_tools?.length ?? "all"}\nDisallowed Tools: ${definition.disallowed_tools?.length ?? 0}\nRestriction Prompt Injected: false`,
        );
        return;
      }
      case "session.prompt.queued":
        this.#prompts.set(event.data.prompt_id, event.data.text);
        return;
      case "session.history.injected":
        this.#injected.set(event.data.prompt_id, event.data.text);
        return;
      case "session.prompt.delivered": {
        const { prompt_id } = event.data;
        const sent =
          this.#injected.get(prompt_id) ?? this.#prompts.get(prompt_id) ?? "";
        this.#injected.delete(prompt_id);
        this.#prompts.delete(prompt_id);
        page.log("FINAL USER PROMPT (with dynamic restrictions)", sent);
        return;
      }
      case "session.message.added":
        return this.#add(event.data.message, page);
      case "session.tool.updated":
        if (changed !== null) this.#tool(changed, page);
        return;
      case "session.permission.requested":
        page.log(
          "PERMISSION REQUESTED",
          `${event.data.permission.id} ${event.data.permission.title}`,
        );
        return;
      case "session.permission.answered":
        page.log(
          "PERMISSION ANSWERED",
          `${event.data.id} ${event.data.option_id}`,
        );
        return;
      case "session.permission.closed":
        page.log("PERMISSION CLOSED", `${event.data.id} ${event.data.reason}`);
        return;
      case "session.turn.ended":
        page.log(
          "TURN COMPLETED",
          `Turn ${event.data.turn}: ${event.data.outcome} (${event.data.stop_reason})`,
        );
        return;
      case "session.turn.interrupted":
        page.log(
          "TURN INTERRUPTED",
          `Turn ${event.data.turn}: ${event.data.reason}`,
        );
        return;
      case "session.resumed": {
        const { grade, path, strategy, verified, lost } = event.data.resume;
        page.log(
          "SESSION RESUMED",
          `Grade: ${grade}\nPath: ${path}\nStrategy: ${strategy}\nVerified: ${verified}\nLost: ${lost ?? "nothing"}`,
        );
        return;
      }
      case "session.execution.ended":
        page.log(
          "AGENT ENDED",
          `Execution ${event.data.epoch}: the agent ${describeEnding(event.data.ending)}`,
        );
        return;
      case "session.notice":
        page.log("NOTICE", event.data.text);
        return;
      case "session.state_changed":
        page.log(
          "STATE",
          `${event.data.from} -> ${event.data.to} (${event.data.reason})${event.data.message === null ? "" : `\n${event.data.message}`}`,
        );
        return;
      case "session.ended":
        page.log(
          "SESSION COMPLETED",
          `Status: ${event.data.outcome} (${event.data.reason})\nFiles: conversation.json history.jsonl session.log summary.json metadata.json`,
        );
        return;
      default:
        return;
    }
  }

  #add(message: Message, page: Lines): void {
    if (message.role === "user")
      page.history({ type: "user_message", ...entry(message) });
    if (message.role === "agent") this.#unfinished = message.id;
    if (message.role === "tool") {
      page.log("TOOL CALL", `${message.text}${inputOf(message)}`);
      page.history({
        type: "tool_call",
        ...entry(message),
        tool: message.tool?.id,
      });
      this.#openTools.add(message.id);
      this.#tool(message, page);
    }
  }

  #tool(message: Message, page: Lines): void {
    const { status, output } = message.tool ?? {};
    if (
      status === undefined ||
      status === "pending" ||
      status === "in_progress"
    )
      return;
    if (!this.#openTools.delete(message.id)) return;
    page.log(
      "TOOL RESULT",
      `${message.text}: ${status}${output === undefined ? "" : `\n${output}`}`,
    );
    page.history({
      type: "tool_result",
      ...entry(message),
      text: output ?? "",
      tool: message.tool?.id,
      status,
    });
  }

  #finish(page: Lines): void {
    const at =
      this.#unfinished === null
        ? undefined
        : this.conversation.index.get(this.#unfinished);
    const message =
      at === undefined ? undefined : this.conversation.messages[at];
    this.#unfinished = null;
    if (message === undefined) return;
    page.log("AGENT MESSAGE", message.text);
    page.history({ type: "agent_message", ...entry(message) });
  }
}

/** Anything but more text of the same message means that the message is complete. */
const interrupts = (event: Event, unfinished: string | null): boolean => {
  if (unfinished === null) return false;
  if (event.type === "session.message.updated")
    return event.data.id !== unfinished;
  return (
    event.type === "session.message.added" ||
    event.type === "session.tool.updated" ||
    event.type === "session.turn.ended" ||
    event.type === "session.turn.interrupted" ||
    event.type === "session.prompt.uncertain" ||
    event.type === "session.execution.ended"
  );
};

const entry = ({ at, turn, text }: Message) => ({ at, turn, text });

const inputOf = ({ tool }: Message): string =>
  tool?.input === undefined ? "" : `\n${JSON.stringify(tool.input)}`;

class Lines {
  readonly #at: string;
  #log = "";
  #history = "";

  constructor(at: string) {
    this.#at = at;
  }

  log(heading: string, text: string): void {
    this.#log += `[${this.#at}] ${heading}:\n${text}\n\n`;
  }

  history(line: object): void {
    this.#history += `${JSON.stringify(line)}\n`;
  }

  done(): Page {
    return { log: this.#log, history: this.#history };
  }
}
