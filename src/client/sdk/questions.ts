/** What agents ask, over all sessions. */
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Client } from "../client.ts";
import {
  allPendingPermissions,
  type PendingPermissions,
  pendingPermissionsOf,
} from "../pending-permissions.ts";
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

/**
 * Each question that waits for a person, once, until the signal: those that wait already, then those to come. It follows the
 * stream over all sessions, which tells of every session whose questions change.
 */
export async function* questions(
  client: Client,
  signal: AbortSignal | undefined,
): AsyncGenerator<Question, void, undefined> {
  const known = new KnownQuestions();
  try {
    for await (const change of client.followHome({
      ...(signal !== undefined && { signal }),
    }))
      switch (change.type) {
        case "session.changed":
          yield* newIn(
            client,
            known,
            await pendingPermissionsOf(client, change.session, signal),
          );
          break;
        case "task.changed":
        case "task.removed":
          break;
        case "session.removed":
          known.drop(change.session_id);
          break;
        // What waits already, and what may have been missed.
        case "stream.opened":
        case "stream.reset":
          for await (const pending of allPendingPermissions(client, signal))
            yield* newIn(client, known, pending);
      }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}

function* newIn(
  client: Client,
  known: KnownQuestions,
  { session, permissions }: PendingPermissions,
): Generator<Question> {
  for (const permission of known.unknownOf(session, permissions))
    yield new Question(client, session, permission);
}

/** Those that were given and still wait, by their sessions. */
class KnownQuestions {
  readonly #known = new Map<string, ReadonlySet<string>>();

  unknownOf(session: string, pending: readonly Permission[]): Permission[] {
    const before = this.#known.get(session);
    if (pending.length === 0) this.#known.delete(session);
    else this.#known.set(session, new Set(pending.map(({ id }) => id)));
    return pending.filter(({ id }) => before?.has(id) !== true);
  }

  drop(session: string): void {
    this.#known.delete(session);
  }
}
