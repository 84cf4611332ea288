/**
 * Notices of the browser: one for each session that begins to need somebody. Only a change is told, never what is there when the page
 * opens; only one tab speaks, the one that holds a lock; none tells of a session that a visible tab shows; and many at once
 * become one.
 */
import type { Attention, AttentionReason } from "./attention.ts";
import type { Scheduler } from "./scheduler.ts";

export interface Notice {
  title: string;
  body: string;
  /** A later one with the same tag replaces it. */
  tag: string;
  /** The session to open; null: Home. */
  session: string | null;
}

export interface NoticesOptions {
  scheduler: Scheduler;
  show(notice: Notice): void;
  /** Whether somebody looks at this session now, in any tab. */
  isShown(session: string): boolean;
  agentName(agent: string): string;
}

/** How long notices wait for others, and from how many on they become one. */
const BURST_MS = 1_000;
const BURST = 4;

export class Notices {
  readonly #options: NoticesOptions;
  /** What was known of each session that needs somebody; null until the first look. */
  #known: Map<string, AttentionReason> | null = null;
  #waiting = new Map<string, Attention>();
  #cancel: (() => void) | null = null;
  #speaks = false;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** This tab holds the lock, and may show notices. */
  speak(): void {
    this.#speaks = true;
  }

  /** What needs somebody now. The first time it is only remembered. */
  update(all: readonly Attention[]): void {
    const known = this.#known;
    this.#known = new Map(all.map((each) => [each.session.id, each.reason]));
    if (known === null) return;
    for (const id of this.#waiting.keys())
      if (!this.#known.has(id)) this.#waiting.delete(id);
    for (const each of all)
      if (known.get(each.session.id) !== each.reason)
        this.#waiting.set(each.session.id, each);
    if (this.#waiting.size > 0 && this.#cancel === null)
      this.#cancel = this.#options.scheduler.after(BURST_MS, () =>
        this.#tell(),
      );
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tell(): void {
    this.#cancel = null;
    const told = [...this.#waiting.values()].filter(
      ({ session }) => !this.#options.isShown(session.id),
    );
    this.#waiting.clear();
    if (!this.#speaks || told.length === 0) return;
    if (told.length < BURST)
      for (const each of told) this.#options.show(this.#noticeOf(each));
    else
      this.#options.show({
        title: `${told.length} sessions need you`,
        body: told.map(({ session }) => nameOf(session)).join(", "),
        tag: "reprise",
        session: null,
      });
  }

  #noticeOf({ session, reason }: Attention): Notice {
    const agent = this.#options.agentName(session.agent);
    return {
      title: nameOf(session),
      body: bodyOf(reason, agent, session),
      tag: `reprise.${session.id}`,
      session: session.id,
    };
  }
}

const nameOf = ({ name, last_words, id }: Attention["session"]): string =>
  name ?? last_words ?? id;

const bodyOf = (
  reason: AttentionReason,
  agent: string,
  session: Attention["session"],
): string => {
  switch (reason) {
    case "permission":
      return `${agent} asks: ${session.pending_permissions[0]?.title ?? ""}`;
    case "uncertain":
      return `Nobody knows whether ${agent} took a prompt.`;
    case "interrupted":
      return "A turn was cut off and waits for your word.";
    case "error":
      return session.error_message ?? `${agent} could not be brought back.`;
    case "budget":
      return "The budget is used up.";
    case "finished":
      return `Finished: ${session.last_words ?? ""}`;
  }
};
