/** What a client is told of its prompts that wait for a quota, which may take hours. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { PromptId } from "../../contract/base/id.ts";
import type { Event } from "../../contract/event/event.ts";
import type { Session } from "../../contract/session/session.ts";
import { chunk } from "./chunk.ts";
import { notice } from "./notice.ts";

interface Viewed extends Pick<Session, "id" | "agent" | "quota"> {
  queued_prompts: readonly { id: PromptId }[];
}

export class HeldPrompts {
  /** Some agent of the session has used up its quota. */
  #isUsedUp = false;
  /** Until when they wait, as the client knows it. */
  #told = new Map<PromptId, string>();

  /** The client knows that some of its prompts wait. */
  get isTold(): boolean {
    return this.#told.size > 0;
  }

  /** All events of the session pass through here. Says whether prompts may have begun to wait for a quota with this one. */
  mayHold(event: Event): boolean {
    switch (event.type) {
      case "session.turn.interrupted":
        if (event.data.limit !== undefined) this.#isUsedUp = true;
        return this.#isUsedUp;
      case "session.quota.filled":
      case "session.turn.ended":
      case "session.prompt.queued":
      case "session.prompt.requeued":
      case "session.definition.changed":
        return this.#isUsedUp;
      default:
        return false;
    }
  }

  /** Each prompt is told of once for each time until which it waits. */
  updates(
    session: Viewed,
    own: readonly PromptId[],
    { seq, notices }: { seq: number; notices: boolean },
  ): SessionUpdate[] {
    const { used_up, prompts_wait_until: until } = session.quota;
    this.#isUsedUp = used_up.length > 0;
    const waiting = new Set(session.queued_prompts.map(({ id }) => id));
    const held = until === null ? [] : own.filter((id) => waiting.has(id));
    const before = this.#told;
    this.#told = new Map(held.map((id) => [id, until ?? ""]));
    if (until === null || held.every((id) => before.get(id) === until))
      return [];
    const { title, description } = wordsOf(session, until);
    return notices
      ? [notice("info", title, description)]
      : [
          chunk(
            "agent",
            `[Reprise] ${title} ${description}\n\n`,
            `wait_${seq}`,
          ),
        ];
  }
}

const wordsOf = ({ id, agent }: Viewed, until: string) => ({
  title: `The quota of ${agent} is used up: the prompt waits until ${until}.`,
  description: `Cancel it to stop waiting. To have the agent tried at once: reprise session resume ${id} --now`,
});
