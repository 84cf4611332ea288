/**
 * What the readable files of a session say, as a fold of its events: whoever starts from the first event, or where a
 * turn was over, gets the same files.
 */
import { commandIn } from "../contract/agent/call-input.ts";
import { callName } from "../contract/agent/call-name.ts";
import { textOf } from "../contract/base/content.ts";
import type { Event } from "../contract/event/event.ts";
import type { Message } from "../contract/session/message.ts";
import { unreachable } from "../kit/unreachable.ts";
import { entriesOf } from "./log-entry.ts";
import { Tail } from "./tail.ts";
import { plainJson, plainText } from "./plain-text.ts";

export class RecordFold {
  readonly tail: Tail;
  readonly #directory: string;
  /** The words that the agent is still saying. They enter the log and the history when they are complete. */
  #unfinished: string | null = null;
  /** The turn's tool calls with the command that the log has of each, and those of them that have no result yet. */
  readonly #tools = new Map<string, string | null>();
  readonly #openTools = new Set<string>();
  /** Of the turn in progress, or of one that waits again: what the agent is sent, until it is in the log. */
  #prompt: { id: string; text: string } | null = null;

  /** Goes on behind `last`, the newest message where a turn was over. */
  constructor(directory: string, last: Message | null) {
    this.#directory = directory;
    this.tail = new Tail(last);
  }

  /** Nothing of what was said will change, and nothing of it is needed for what comes: a fold may begin here. */
  get isBetweenTurns(): boolean {
    return (
      this.#prompt === null &&
      this.#unfinished === null &&
      this.#tools.size === 0
    );
  }

  /** What this event adds to the log and to the history. */
  write(event: Event): Page {
    const changed = this.tail.project(event);
    const page = new Page(event.at);
    if (this.#completes(event)) this.#finish(page);
    this.#follow(event, changed, page);
    for (const { heading, text } of entriesOf(event, this.#directory))
      page.enter(heading, text);
    return page;
  }

  /** Messages that are as they will stay, for the file; they are not held any longer. */
  takeSettled(): Message[] {
    return this.tail.takeSettled(
      ({ id }) => id === this.#unfinished || this.#openTools.has(id),
    );
  }

  #follow(event: Event, changed: Message | null, page: Page): void {
    switch (event.type) {
      case "session.turn.started":
        if (this.#prompt?.id !== event.data.prompt_id)
          this.#prompt = { id: event.data.prompt_id, text: "" };
        return;
      case "session.history.injected":
      case "session.prompt.prepared":
        if (this.#prompt?.id === event.data.prompt_id)
          this.#prompt.text = event.data.text;
        return;
      case "session.prompt.delivered":
        return this.#sent(
          "FINAL USER PROMPT (with dynamic restrictions)",
          page,
        );
      case "session.prompt.uncertain":
        page.enter("PROMPT UNCERTAIN", event.data.reason);
        this.#sent("PROMPT THAT MAY HAVE BEEN SENT", page);
        return this.#turnIsOver();
      case "session.prompt.requeued":
        // It will be sent another time, and without a history unless that is injected again.
        this.#prompt = {
          id: event.data.prompt_id,
          text: textOf(event.data.content),
        };
        return;
      case "session.prompt.cancelled":
        if (this.#prompt?.id === event.data.prompt_id) this.#prompt = null;
        return;
      case "session.message.added":
        return this.#added(event.data.message, page);
      case "session.tool.updated":
        if (changed !== null) this.#result(changed, page);
        return;
      case "session.turn.ended":
      case "session.turn.interrupted":
        return this.#turnIsOver();
      default:
        return;
    }
  }

  /** As the agent got it, and once: with what was put before it. */
  #sent(heading: string, page: Page): void {
    if (this.#prompt === null) return;
    page.enter(heading, this.#prompt.text);
    this.#prompt.text = "";
  }

  #added(message: Message, page: Page): void {
    switch (message.role) {
      case "user":
        if (this.#prompt !== null) this.#prompt.text = message.text;
        return page.line({ type: "user_message", ...said(message) });
      case "agent":
      case "thought":
        this.#unfinished = message.id;
        return;
      case "tool":
        this.#tools.set(message.id, commandIn(message.tool?.input));
        this.#openTools.add(message.id);
        page.enter("TOOL CALL", `${message.text}${inputOf(message)}`);
        page.line({
          type: "tool_call",
          ...said(message),
          tool: message.tool?.id,
        });
        return this.#result(message, page);
      case "notice":
        return;
      default:
        return unreachable(message.role);
    }
  }

  #result(message: Message, page: Page): void {
    const { id: tool, status, output } = message.tool ?? {};
    if (
      status === undefined ||
      status === "pending" ||
      status === "in_progress"
    )
      return;
    if (!this.#openTools.delete(message.id)) return;
    page.enter(
      "TOOL RESULT",
      `${this.#nameOf(message)}: ${status}${output === undefined ? "" : `\n${output}`}`,
    );
    page.line({
      type: "tool_result",
      ...said(message),
      text: output ?? "",
      tool,
      status,
    });
  }

  /** By the end of a call its agent knows best what to call it, and which command it ran. */
  #nameOf({ id, text, tool }: Message): string {
    const isTold = this.#tools.get(id) === commandIn(tool?.input);
    return tool === undefined || isTold
      ? text
      : callName({ title: text, ...tool });
  }

  #turnIsOver(): void {
    this.#prompt = null;
    this.#tools.clear();
    this.#openTools.clear();
  }

  /** Whether the agent's words are complete: nothing is added to them behind this event. */
  #completes(event: Event): boolean {
    switch (event.type) {
      case "session.message.updated":
        return event.data.id !== this.#unfinished;
      case "session.message.added":
      case "session.tool.updated":
      case "session.turn.started":
      case "session.turn.ended":
      case "session.turn.interrupted":
      case "session.prompt.uncertain":
      case "session.execution.ended":
        return true;
      default:
        return false;
    }
  }

  #finish(page: Page): void {
    const message =
      this.#unfinished === null ? undefined : this.tail.find(this.#unfinished);
    this.#unfinished = null;
    if (message === undefined) return;
    if (message.role === "thought")
      return page.enter("AGENT THOUGHT", message.text);
    page.enter("AGENT MESSAGE", message.text);
    page.line({ type: "agent_message", ...said(message) });
  }
}

const said = ({ at, turn, text }: Message) => ({ at, turn, text });

const inputOf = ({ tool }: Message): string =>
  tool?.input === undefined ? "" : `\n${JSON.stringify(tool.input)}`;

/** What an event adds to `session.log` and to `history.jsonl`. */
class Page {
  readonly #at: string;
  log = "";
  history = "";

  constructor(at: string) {
    this.#at = at;
  }

  enter(heading: string, text: string): void {
    this.log += `[${this.#at}] ${heading}:\n${plainText(text)}\n\n`;
  }

  line(entry: object): void {
    this.history += `${plainJson(entry)}\n`;
  }
}
