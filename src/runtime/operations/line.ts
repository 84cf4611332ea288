/**
 * The line of a session. A journal may be long, so a line that was folded is saved: the next look reads the events behind
 * it and no others. What a session goes through meanwhile costs nothing: nobody saves a line that nobody looks at.
 */
import type { SessionId } from "../../contract/base/id.ts";
import { eventsOf } from "../../journal/journal-reader.ts";
import { MAX_FORKS, withForks } from "../../session/line/forks.ts";
import { evolveLine, initialLine, type Line } from "../../session/line/line.ts";
import { answerOf } from "../../session/line/marks.ts";
import { LINE_VERSION, readLine, writeLine } from "../../session/line/saved.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";
import type { Log } from "../ports/home.ts";
import type { Sessions } from "../sessions/session-journal.ts";
import { requireSession } from "./damage.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** As few events are read again that nobody notices. */
const SAVED_AFTER = 500;

type Deps = Pick<OperationDeps, "store" | "term"> & { log: Pick<Log, "warn"> };

export const lineOperations = (deps: Deps) => {
  const { store } = deps;
  const looks = new Looks(deps);
  return {
    showLine: async (id: SessionId) => {
      await requireSession(deps, id);
      const line = await looks.lineOf(id);
      const forks = await store.sessions({ parent: id, limit: MAX_FORKS });
      return withForks(answerOf(line), forks.sessions);
    },
  };
};

/** Looks at the same session go one after the other: the second one goes on where the first has got to. */
class Looks {
  readonly #deps: Deps;
  readonly #running = new Map<SessionId, Promise<Line | null>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async lineOf(id: SessionId): Promise<Line> {
    const before = this.#running.get(id) ?? Promise.resolve(null);
    const look = before.then((known) => this.#look(id, known));
    const settled = look.catch(() => null);
    this.#running.set(id, settled);
    try {
      return await look;
    } finally {
      if (this.#running.get(id) === settled) this.#running.delete(id);
    }
  }

  async #look(id: SessionId, known: Line | null): Promise<Line> {
    if (known !== null) return this.#goOn(id, known);
    const saved = await this.#deps.store.line(id, LINE_VERSION);
    const begun = saved === null ? initialLine : readLine(saved.state);
    const line = await this.#goOn(id, begun);
    if (line.seq - begun.seq >= SAVED_AFTER) await this.#save(id, line);
    return line;
  }

  /** Of a damaged journal, what lies before the damage. */
  async #goOn(id: SessionId, from: Line): Promise<Line> {
    let line = from;
    try {
      for await (const event of eventsOf<Sessions>(
        this.#deps.store,
        id,
        from.seq,
      ))
        line = evolveLine(line, event);
    } catch (error) {
      if (!isSessionDamaged(error)) throw error;
    }
    return line;
  }

  /** Whoever looks has the line already: one that cannot be saved is folded again. */
  async #save(id: SessionId, line: Line): Promise<void> {
    const { store, term, log } = this.#deps;
    const saved = {
      version: LINE_VERSION,
      seq: line.seq,
      state: writeLine(line),
    };
    try {
      await store.saveLine(term, id, saved);
    } catch (err) {
      log.warn({ err, session_id: id }, "a line was not saved");
    }
  }
}
