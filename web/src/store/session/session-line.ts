/** The line of a session, from the server's answer on. Marks that did not change stay the same objects. */
import type { SessionId } from "../../../../src/contract/base/id.ts";
import type { Event } from "../../../../src/contract/event/event.ts";
import type {
  LineAnswer,
  Mark,
} from "../../../../src/contract/session/line.ts";
import { evolveLine } from "../../../../src/session/line/line.ts";
import {
  marksAfter,
  type PlannedRewind,
} from "../../../../src/session/line/preview.ts";
import { lineFrom, marksOf } from "../../../../src/session/line/marks.ts";

export class SessionLine {
  #line: ReturnType<typeof lineFrom>;
  #marks: readonly Mark[];
  /** Only the server knows who was forked from a turn. */
  readonly #forks: ReadonlyMap<number, readonly SessionId[]>;

  constructor(answer: LineAnswer) {
    this.#line = lineFrom(answer);
    this.#marks = answer.marks;
    this.#forks = new Map(
      answer.marks.flatMap((mark) =>
        mark.kind === "turn" ? [[mark.turn, mark.forks] as const] : [],
      ),
    );
  }

  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** Whether that changed a mark. Events that the answer knew already change nothing. */
  take(event: Event): boolean {
    const before = this.#line;
    this.#line = evolveLine(before, event);
    if (
      this.#line.entries === before.entries &&
      this.#line.knows === before.knows &&
      this.#line.rewinds === before.rewinds
    )
      return false;
    this.#marks = marksOf(this.#line).map((mark, i) =>
      kept(this.#marks[i], this.#withForks(mark)),
    );
    return true;
  }

  /** As a rewind would leave it. */
  after(plan: PlannedRewind): readonly Mark[] {
    return marksAfter(this.#line, plan).map((mark) => this.#withForks(mark));
  }

  #withForks(mark: Mark): Mark {
    if (mark.kind !== "turn") return mark;
    const forks = this.#forks.get(mark.turn);
    return forks === undefined ? mark : { ...mark, forks: [...forks] };
  }
}

const kept = (old: Mark | undefined, mark: Mark): Mark =>
  old !== undefined && JSON.stringify(old) === JSON.stringify(mark)
    ? old
    : mark;
