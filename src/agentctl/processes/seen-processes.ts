/**
 * What a session had running when somebody last looked. An agent that is brought back does not know that what it had started
 * in the background is gone; with this, it can be told.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { ExecutionId, SessionId } from "../../contract/base/id.ts";
import {
  type GoneProcess,
  SessionProcess,
} from "../../contract/session/process.ts";
import {
  remove,
  sweepDrafts,
  writeDurably,
} from "../../kit/files/durable-file.ts";
import { readPlain } from "../../kit/files/read-plain.ts";
import { Lanes } from "../../kit/time/lanes.ts";
import { type Log, reasonOf } from "../base/log.ts";
import { goneOf, wordsOfGone, worthKeeping } from "./gone.ts";
import { processesOf } from "./process-list.ts";

interface Running {
  id: ExecutionId;
  session: SessionId;
  history: { wrapper: { pid: number } | null };
}

interface Speaking extends Running {
  left: boolean;
  notice(code: string, text: string, facts: { processes: GoneProcess[] }): void;
}

const MAX_KEPT = 100;
const MAX_BYTES = 1024 * 1024;
const Kept = z.array(SessionProcess);

export class SeenProcesses {
  /** A file for each session that had something running. */
  readonly #directory: string;
  readonly #log: Log;
  readonly #lanes = new Lanes();

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /**
   * Looks, and keeps what is seen: instead of what was seen before, or beside it, as it is now. It never fails: what was not
   * seen cannot be told, and that is all.
   */
  async keep(
    execution: Running,
    { beside = false }: { beside?: boolean } = {},
  ): Promise<void> {
    const { session } = execution;
    await this.#trying("cannot keep what runs", session, async () => {
      const now = worthKeeping(await look(execution));
      const before = await this.#kept(session);
      const seen = (beside ? united(before, now) : now).slice(0, MAX_KEPT);
      if (isSame(seen, before)) return;
      const file = this.#file(session);
      if (seen.length === 0) return remove(file);
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await sweepDrafts(file);
      await writeDurably(file, JSON.stringify(seen));
    });
  }

  /** What is gone of it becomes a notice, once. */
  async tellGone(execution: Speaking): Promise<void> {
    const { session } = execution;
    const gone = await this.#trying("cannot tell what is gone", session, () =>
      this.#takeGone(execution),
    );
    if (gone === null || gone.length === 0 || execution.left) return;
    execution.notice("processes_gone", wordsOfGone(gone), { processes: gone });
  }

  async #takeGone(execution: Running): Promise<GoneProcess[]> {
    const { session } = execution;
    const then = await this.#kept(session);
    if (then.length === 0) return [];
    const gone = goneOf(then, await look(execution));
    await remove(this.#file(session));
    return gone;
  }

  /** The session is gone. */
  async forget(session: SessionId): Promise<void> {
    await remove(this.#file(session));
  }

  #file(session: SessionId): string {
    return join(this.#directory, `${session}.json`);
  }

  async #kept(session: SessionId): Promise<SessionProcess[]> {
    const text = await readPlain(this.#file(session), MAX_BYTES).catch(
      () => null,
    );
    return text === null ? [] : (Kept.safeParse(parsed(text)).data ?? []);
  }

  async #trying<T>(
    what: string,
    session: SessionId,
    work: () => Promise<T>,
  ): Promise<T | null> {
    try {
      return await this.#lanes.run(session, work);
    } catch (error) {
      this.#log(what, { session, error: reasonOf(error) });
      return null;
    }
  }
}

const look = ({ id, session, history }: Running): Promise<SessionProcess[]> =>
  processesOf(
    session,
    new Map(history.wrapper === null ? [] : [[id, history.wrapper.pid]]),
  );

const united = (
  before: readonly SessionProcess[],
  now: readonly SessionProcess[],
): SessionProcess[] => {
  const seen = new Set(now.map(({ id }) => id));
  return [...before.filter(({ id }) => !seen.has(id)), ...now];
};

const isSame = (
  a: readonly SessionProcess[],
  b: readonly SessionProcess[],
): boolean => isDeepStrictEqual(a.map(whatIsTold), b.map(whatIsTold));

/** A process that was just begun has another command a moment later, and no ports yet. */
const whatIsTold = ({ id, command, ports }: SessionProcess) => ({
  id,
  command,
  ports,
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
