/** A part of a conversation, folded from the events around it: the messages that begin there, as they are now. */
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { begunBy, changedBy, changes, endsText, endsTurn } from "./project.ts";
import { followCall, messageOfTool, noToolCalls } from "../state/tool-calls.ts";

/** How much a page holds, in characters, unless a single message is longer. */
export const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

export interface PageLimits {
  /** Messages that begin at or behind this event are no part of it. */
  before: number;
  messages: number;
  /** Which messages stay when there are too many, or too long ones. */
  keep: "oldest" | "newest";
}

/**
 * Takes events one after the other, beginning with the first message's. Behind the last message it needs those that change
 * the messages it has: the rest of the text that was being said, and updates of tool calls that can still come.
 */
export class MessagePage {
  readonly #limits: PageLimits;
  readonly #messages = new Map<string, Message>();
  #turn: number;
  #characters = 0;
  /** Whether messages that begin now are part of it. */
  #accepts = true;
  #wasCut = false;
  #openText: string | null = null;
  #calls = noToolCalls;
  /** Calls of messages in it that may still change: the agent's id by the message's. */
  readonly #openCalls = new Map<string, string>();

  /** `turn` is that of the message before the first. */
  constructor(limits: PageLimits, turn: number) {
    this.#limits = limits;
    this.#turn = turn;
  }

  get messages(): Message[] {
    return [...this.#messages.values()];
  }

  /** Whether messages were left out at the side that gives way. */
  get wasCut(): boolean {
    return this.#wasCut;
  }

  /** Whether it needs the event after this one. */
  take(event: Event): boolean {
    if (event.seq >= this.#limits.before) this.#accepts = false;
    if (endsText(event)) this.#openText = null;
    if (endsTurn(event)) this.#calls = noToolCalls;
    const begun = begunBy(event, this.#turn);
    if (begun === null) this.#change(event);
    else this.#add(begun);
    return this.#accepts || this.#mayChange();
  }

  #add(message: Message): void {
    const { id, turn, role, tool } = message;
    this.#turn = turn;
    this.#follow(id, tool);
    const { messages, keep } = this.#limits;
    const isFull = this.#messages.size >= messages && keep === "oldest";
    if (this.#accepts && isFull) {
      this.#accepts = false;
      this.#wasCut = true;
    }
    if (!this.#accepts) return;
    if (role === "agent" || role === "thought") this.#openText = id;
    if (tool !== undefined) this.#openCalls.set(id, tool.id);
    this.#messages.set(id, message);
    this.#characters += lengthOf(message);
    this.#shrink();
  }

  #change(event: Event): void {
    const id = changes(event) ?? "";
    const before = this.#messages.get(id);
    if (event.type === "session.tool.updated")
      this.#follow(event.data.id, event.data.tool);
    if (before === undefined) return;
    const after = changedBy(before, event);
    this.#messages.set(id, after);
    this.#characters += lengthOf(after) - lengthOf(before);
    this.#shrink();
  }

  #follow(message: Message["id"], tool: Tool | undefined): void {
    if (tool === undefined) return;
    const { id, status } = tool;
    this.#calls = followCall(this.#calls, { id, message, status });
  }

  /** Leaves out whole messages until the page is within its limits. One message stays, however long it is. */
  #shrink(): void {
    while (this.#isTooLarge() && this.#messages.size > 1) {
      const all = [...this.#messages.values()];
      const message = this.#limits.keep === "newest" ? all[0] : all.at(-1);
      if (message === undefined) return;
      this.#messages.delete(message.id);
      this.#openCalls.delete(message.id);
      this.#characters -= lengthOf(message);
      this.#wasCut = true;
      if (this.#limits.keep === "oldest") this.#accepts = false;
    }
  }

  #isTooLarge(): boolean {
    return (
      this.#characters > MAX_PAGE_CHARACTERS ||
      this.#messages.size > this.#limits.messages
    );
  }

  #mayChange(): boolean {
    if (this.#openText !== null && this.#messages.has(this.#openText))
      return true;
    // Once a call is not known any more it never changes, so each is looked at a few times only.
    for (const [message, call] of this.#openCalls)
      if (messageOfTool(this.#calls, call) === message) return true;
      else this.#openCalls.delete(message);
    return false;
  }
}

const lengthOf = ({ text, tool }: Message): number =>
  text.length +
  (tool?.output?.length ?? 0) +
  (tool?.diffs ?? []).reduce(
    (sum, { old_text, new_text }) =>
      sum + (old_text?.length ?? 0) + new_text.length,
    inputLength(tool?.input),
  );

/** Updates of a call share the input they began with. */
const inputLengths = new WeakMap<object, number>();

const inputLength = (input: unknown): number => {
  if (typeof input !== "object" || input === null) return 0;
  const known = inputLengths.get(input);
  if (known !== undefined) return known;
  const length = JSON.stringify(input).length;
  inputLengths.set(input, length);
  return length;
};
