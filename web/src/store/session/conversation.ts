/** The part of a conversation that is in view, and what its events tell besides: times of turns, the plan, why it rests. */
import {
  type ConversationWindow,
  WindowFold,
} from "../../../../src/client/client.ts";
import type { Event } from "../../../../src/contract/event/event.ts";
import type { CheckpointId } from "../../../../src/contract/session/checkpoint.ts";
import type { Message } from "../../../../src/contract/session/message.ts";
import { endsTurn } from "../../../../src/session/view/project.ts";
import type { LastRewind, Plan, ToldText } from "../open-session.ts";
import type { TurnTime } from "./turn-views.ts";

/** So much of a conversation is kept while its end is in sight, in characters of JSON: half of what a model says in an hour. */
const MAX_KEPT = 300_000;

/** How many of the oldest messages are beyond that. No turn is cut. */
const beyondKept = (messages: readonly Message[]): number => {
  let size = 0;
  const last = messages.findLast((message) => {
    size += JSON.stringify(message).length;
    return size > MAX_KEPT;
  });
  return messages.findIndex(({ turn }) => turn === last?.turn);
};

export class Conversation {
  readonly #folded: WindowFold;
  /** A turn ended since it was measured. Where it did not, what was read again for somebody stays. */
  #mayBeLarge = false;
  #messages: readonly Message[];
  #previous: ConversationWindow["previous"];
  #times = new Map<number, TurnTime>();
  readonly #told = new Map<number, ToldText>();
  /** The turn that each prompt began. */
  readonly #begun = new Map<string, number>();
  plan: Plan | null = null;
  /** The rewind that nothing has followed. */
  rewound: LastRewind | null = null;
  /** What a rewind captured before it touched anything. */
  #captured: CheckpointId | null = null;
  /** When the agent's start began; null while none is under way. */
  startingSince: number | null = null;
  /** It was paused because nobody used it. */
  isIdle = false;

  constructor(window: ConversationWindow) {
    this.#folded = new WindowFold(window);
    this.#messages = [...window.messages];
    this.#previous = window.previous;
    for (const event of window.events) this.#look(event);
  }

  /** Oldest first; the same array until one changes. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get times(): ReadonlyMap<number, TurnTime> {
    return this.#times;
  }

  /** What the agent was given as text, by the turn that began with it. */
  get told(): ReadonlyMap<number, ToldText> {
    return this.#told;
  }

  /** What an earlier window is asked with; null where there is none. */
  get previous(): ConversationWindow["previous"] {
    return this.#previous;
  }

  take(event: Event): void {
    this.#look(event);
    if (endsTurn(event)) this.#mayBeLarge = true;
    if (this.#folded.take(event) !== null) this.#isStale = true;
  }

  #isStale = false;

  /** Shows what was taken. */
  flush(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#messages = [...this.#folded.messages];
  }

  /** Lets go of the oldest turns where there is more than is kept. Says whether there was. */
  forget(): boolean {
    if (!this.#mayBeLarge) return false;
    this.#mayBeLarge = false;
    const { messages } = this.#folded;
    const count = beyondKept(messages);
    const first = messages[count];
    if (first === undefined || count === 0) return false;
    this.#folded.drop(count);
    this.#previous = first.id;
    this.#isStale = true;
    return true;
  }

  /** Puts an earlier window before what is there. */
  prepend(window: ConversationWindow): void {
    this.#folded.prepend(window);
    this.#previous = window.previous;
    this.#isStale = true;
    // What is older says nothing about how it stands now, nor about the end of a turn that ended later.
    const newer = this.#times;
    this.#times = new Map();
    for (const event of window.events) {
      this.#lookAtTime(event);
      this.#lookAtTold(event);
    }
    for (const [turn, { startedAt, endedAt }] of newer) {
      const older = this.#times.get(turn);
      this.#times.set(turn, {
        startedAt: startedAt ?? older?.startedAt ?? null,
        endedAt: endedAt ?? older?.endedAt ?? null,
      });
    }
    this.flush();
  }

  #look(event: Event): void {
    this.#lookAtTime(event);
    this.#lookAtTold(event);
    this.#lookAtRewind(event);
    if (event.type === "session.plan.updated") this.plan = event.data;
    // A plan is that of its turn.
    if (event.type === "session.turn.started") this.plan = null;
    if (event.type === "session.state_changed") {
      const { to, reason } = event.data;
      this.startingSince = to === "STARTING" ? Date.parse(event.at) : null;
      this.isIdle = to === "PAUSED" && reason === "idle";
    }
  }

  #lookAtTold(event: Event): void {
    if (event.type === "session.turn.started")
      this.#begun.set(event.data.prompt_id, event.data.turn);
    if (event.type !== "session.history.injected") return;
    const turn = this.#begun.get(event.data.prompt_id);
    if (turn !== undefined)
      this.#told.set(turn, { turn, text: event.data.text });
  }

  #lookAtRewind(event: Event): void {
    switch (event.type) {
      case "session.checkpoint.saved":
      case "session.checkpoint.partial":
        if (event.data.checkpoint.kind === "rewind")
          this.#captured = event.data.checkpoint.id;
        break;
      case "session.rewound":
        this.rewound = { to: event.data.turn, undo: this.#captured };
        this.#captured = null;
        break;
      case "session.turn.started":
      case "session.handed_off":
      case "session.ended":
        this.rewound = null;
        break;
      default:
        break;
    }
  }

  #lookAtTime(event: Event): void {
    switch (event.type) {
      case "session.turn.started":
        this.#times.set(event.data.turn, {
          startedAt: event.at,
          endedAt: null,
        });
        break;
      case "session.turn.ended":
      case "session.turn.interrupted":
      case "session.prompt.uncertain":
        this.#times.set(event.data.turn, {
          startedAt: this.#times.get(event.data.turn)?.startedAt ?? null,
          endedAt: event.at,
        });
        break;
      default:
        break;
    }
  }
}
