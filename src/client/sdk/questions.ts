/** What agents ask, over all sessions. */
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Client } from "../client.ts";
import { pendingPermissions } from "../pending-permissions.ts";
import { pause } from "../retry.ts";
import { SessionHandle } from "./session.ts";

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

/** Each question that waits for a person, once, until the signal: those that wait already, then those to come. */
export async function* questions(
  client: Client,
  { signal, every_ms }: { signal: AbortSignal | undefined; every_ms: number },
): AsyncGenerator<Question, void, undefined> {
  let known = new Set<string>();
  for (;;) {
    const pending = await pendingPermissions(client, signal).catch(
      (error: unknown) => {
        if (signal?.aborted === true) return null;
        throw error;
      },
    );
    if (pending === null) return;
    const names = pending.map(
      ({ session, permission }) => `${session} ${permission.id}`,
    );
    for (const [at, { session, permission }] of pending.entries())
      if (!known.has(names[at] ?? ""))
        yield new Question(client, session, permission);
    known = new Set(names);
    await pause(every_ms, signal);
  }
}
