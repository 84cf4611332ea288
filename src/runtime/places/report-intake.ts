/** Takes agentctl's reports into the journal and acknowledges them: never before they are durable. */
import type { SessionId } from "../../contract/base/id.ts";
import type { LinkReport } from "../../contract/link/link.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { setTimeout as delay } from "node:timers/promises";
import { backoff } from "../../kit/time/backoff.ts";
import { isMovedOn } from "../../journal/moved-on.ts";
import { isSuperseded } from "../../journal/superseded.ts";
import { type Engine, OutputGap } from "../sessions/session-journal.ts";
import type { Places } from "./places.ts";
import type { Log } from "../ports/home.ts";
import type { Place } from "../ports/executors.ts";
import { isStorageTrouble } from "../failures/storage-trouble.ts";

type Report = LinkReport["report"];

export class ReportIntake {
  readonly #engine: Engine;
  readonly #places: Places;
  readonly #log: Log;
  readonly #underWay = new Set<Taken>();
  #isClosed = false;

  constructor(engine: Engine, places: Places, log: Log) {
    this.#engine = engine;
    this.#places = places;
    this.#log = log;
    places.listen({
      reported: (place, session, report) => this.#begin(place, session, report),
    });
  }

  #begin(place: Place, session: SessionId, report: Report): void {
    const { execution_id } = report;
    const facts = { session_id: session, execution_id };
    if (this.#isClosed) return;
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const work = this.#persist(place, session, report, signal).catch(
      (error: unknown) => {
        // agentctl went away or has forgotten it: whatever is not acknowledged is told again.
        if (isLinkTrouble(error))
          this.#log.info({ ...facts, code: error.code }, "a report was left");
        else
          this.#log.error(
            { ...facts, err: error },
            "could not take in a report",
          );
      },
    );
    const taken = { session, giveUp, work };
    this.#underWay.add(taken);
    void work.finally(() => this.#underWay.delete(taken));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.letGo(new Set(this.kept()));
  }

  *kept(): Iterable<SessionId> {
    for (const { session } of this.#underWay) yield session;
  }

  /** What could not be made durable is not acknowledged: it is told again to whoever comes next. */
  async letGo(sessions: ReadonlySet<SessionId>): Promise<void> {
    const left = [...this.#underWay].filter(({ session }) =>
      sessions.has(session),
    );
    for (const { giveUp } of left) giveUp.abort();
    await Promise.all(left.map(({ work }) => work));
  }

  /** Nothing more is reported before this is acknowledged: on a full disk it is tried until there is room again. */
  async #persist(
    place: Place,
    session: SessionId,
    report: Report,
    signal: AbortSignal,
  ): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt++)
      try {
        return await this.#take(place, session, report);
      } catch (error) {
        if (!isStorageTrouble(error) && !isMovedOn(error)) throw error;
        if (attempt === 0)
          this.#log.error(
            { session_id: session, err: error },
            "a report cannot be made durable; trying again",
          );
        await delay(backoff(attempt, 100, 2000), null, { signal }).catch(
          () => null,
        );
      }
  }

  async #take(place: Place, session: SessionId, report: Report): Promise<void> {
    const { execution_id, epoch, number, items } = report;
    try {
      const before = await this.#engine.state(session);
      const after = await this.#engine.issue(session, {
        type: "execution.report",
        epoch,
        items,
      });
      const to =
        after.execution?.epoch === epoch
          ? after.execution.offset
          : lastByte(report);
      await place.acknowledge({ execution_id, epoch, to, report: number });
      const gone =
        before.execution?.id !== execution_id ||
        after.execution?.id !== execution_id;
      if (gone && items.some(({ kind }) => kind === "ended")) {
        this.#places.forget(execution_id);
        await place.forget({ execution_id, epoch });
      }
    } catch (error) {
      if (!(error instanceof OutputGap)) throw error;
      await place.attach({ execution_id, epoch, from: error.expected });
    }
  }
}

interface Taken {
  session: SessionId;
  /** Nobody tries again to make it durable. */
  giveUp: AbortController;
  work: Promise<void>;
}

const lastByte = ({ items }: Report): number =>
  items.reduce((to, { range }) => Math.max(to, range?.to ?? 0), 0);

const isLinkTrouble = (error: unknown): error is LinkError | RepriseError =>
  error instanceof LinkError ||
  isSuperseded(error) ||
  (error instanceof RepriseError &&
    (error.code === "agentctl_unavailable" || error.code === "timed_out"));
