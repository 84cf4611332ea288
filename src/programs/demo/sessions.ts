import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { randomUUID } from "node:crypto";
import { notFoundOrDamaged, SessionFile, type Entry } from "./session-file.ts";
import { sessionPath } from "../../agents/demo/session-path.ts";
import { Session, type Habits } from "./session.ts";

/** The sessions this process has open, over the files of all sessions there ever were. */
export class Sessions {
  #home: string;
  #habits: Habits;
  #open = new Map<string, Session>();

  constructor(home: string, habits: Habits) {
    this.#home = home;
    this.#habits = habits;
  }

  create(cwd: string): Promise<Session> {
    return this.#create(cwd, [], undefined);
  }

  /** A session as its file has it, in this working directory from now on. */
  async reopen(
    id: string,
    cwd: string,
  ): Promise<{ session: Session; entries: Entry[] }> {
    const { file, entries } = await SessionFile.open(this.#path(id), id);
    await this.#open.get(id)?.close();
    const session = new Session(id, cwd, file, entries, this.#habits);
    this.#open.set(id, session);
    return { session, entries };
  }

  async fork(id: string, cwd: string): Promise<Session> {
    const { file, entries } = await SessionFile.open(this.#path(id), id);
    await file.close();
    return this.#create(cwd, entries, id);
  }

  get(id: string): Session {
    const session = this.#open.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  async close(id: string): Promise<void> {
    const session = this.get(id);
    this.#open.delete(id);
    await session.close();
  }

  async #create(
    cwd: string,
    entries: readonly Entry[],
    forkedFrom: string | undefined,
  ): Promise<Session> {
    const id = randomUUID();
    const file = await SessionFile.create(
      this.#path(id),
      {
        type: "session",
        version: 1,
        id,
        cwd,
        at: new Date().toISOString(),
        ...(forkedFrom !== undefined && { forked_from: forkedFrom }),
      },
      entries,
    );
    const session = new Session(id, cwd, file, entries, this.#habits);
    this.#open.set(id, session);
    return session;
  }

  #path(id: string): string {
    const path = sessionPath(this.#home, id);
    if (path === null) throw notFoundOrDamaged(id);
    return path;
  }
}
