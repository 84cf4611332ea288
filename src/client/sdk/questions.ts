/** What agents ask, over all sessions. */
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Client } from "../client.ts";
import { patiently } from "../patiently.ts";
import { pause } from "../retry.ts";
import { SessionHandle } from "./session.ts";

/** A permission request that waits for an answer, with the session that it belongs to. */
export class Question {
  readonly session: SessionHandle;
  readonly permission: Permission;
  readonly #client: Client;

  constructor(client: Client, session: string, permission: Permission) {
    this.#client = client;
    this.session = new SessionHandle(client, session);
    this.permission = permission;
  }

  /** Chooses an option by what it means (`allow_once`, `allow_always`, `reject_once`, `reject_always`) or by its id. */
  async answer(
    choice: string,
    { key }: { key?: string } = {},
  ): Promise<Permission> {
    const { id, options, title } = this.permission;
    const option =
      options.find((each) => each.kind === choice) ??
      options.find((each) => each.id === choice);
    if (option === undefined)
      throw new RepriseError(
        "unknown_option",
        `"${title}" has no option "${choice}". It has ${options.map(({ kind }) => kind).join(", ")}.`,
      );
    return this.#client.answerPermission(this.session.id, id, option.id, {
      key,
    });
  }
}

/** Only a session with a turn in progress can have questions. */
const ASKING_STATE = "RUNNING";

/** Each question that waits for a person, once, until the signal: those that wait already, then those to come. */
export async function* questions(
  client: Client,
  { signal, every_ms }: { signal: AbortSignal | undefined; every_ms: number },
): AsyncGenerator<Question, void, undefined> {
  let known = new Set<string>();
  for (;;) {
    const pending = await pendingQuestions(client, signal).catch(
      (error: unknown) => {
        if (signal?.aborted === true) return null;
        throw error;
      },
    );
    if (pending === null) return;
    const names = pending.map(
      ({ session, permission }) => `${session.id} ${permission.id}`,
    );
    for (const [at, question] of pending.entries())
      if (!known.has(names[at] ?? "")) yield question;
    known = new Set(names);
    await pause(every_ms, signal);
  }
}

const pendingQuestions = async (
  client: Client,
  signal: AbortSignal | undefined,
): Promise<Question[]> => {
  const found: Question[] = [];
  let cursor: { after?: string } = {};
  for (;;) {
    const query = { state: ASKING_STATE, limit: 500, ...cursor };
    const page = await patiently(signal, () => client.listSessions(query));
    for (const listed of page.sessions) {
      const { id, pending_permissions } = await whole(client, listed, signal);
      for (const permission of pending_permissions)
        found.push(new Question(client, id, permission));
    }
    if (page.next === null) return found;
    cursor = { after: page.next };
  }
};

/** Lists leave out what is long. */
const whole = async (
  client: Client,
  listed: Session,
  signal: AbortSignal | undefined,
): Promise<Pick<Session, "id" | "pending_permissions">> =>
  listed.shortened?.includes("pending_permissions") === true
    ? patiently(signal, () => client.showSession(listed.id))
    : listed;
