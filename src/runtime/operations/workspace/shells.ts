/** Interactive shells in the workspaces of sessions. agentctl has them; nothing of them is in a journal. */
import { createHash } from "node:crypto";
import type {
  OpenShellRequest,
  ShellSize,
} from "../../../contract/api/shell/shell-route.ts";
import { type SessionId, ShellId } from "../../../contract/base/id.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { type Shell, shellSize } from "../../../contract/session/shell.ts";
import { ulid } from "../../../kit/data/ulid.ts";
import { placeOf } from "../../../session/state/place.ts";
import type { State } from "../../../session/state/state.ts";
import { agentSessionOf } from "../../callers/agent-session.ts";
import type { AttachedShell, Place } from "../../ports/executors.ts";
import { checkSandbox } from "../../places/sandbox.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";

export const shellOperations = (deps: OperationDeps) => {
  const placeAt = async (session: SessionId): Promise<Place> => {
    await deps.held.requireHeard(session);
    return deps.places.obtainHeld(placeOf(await deps.engine.state(session)));
  };
  const listShells = async (session: SessionId): Promise<Shell[]> =>
    askPlace((await placeAt(session)).shells.list(session));
  return {
    listShells,
    openShell: (session: SessionId, request: OpenShellRequest, key?: string) =>
      openShell(deps, session, request, key),
    showShell: async (session: SessionId, id: ShellId): Promise<Shell> => {
      const shell = (await listShells(session)).find((each) => each.id === id);
      if (shell !== undefined) return shell;
      throw new RepriseError(
        "shell_not_found",
        `The session ${session} has no shell ${id}.`,
      );
    },
    resizeShell: async (session: SessionId, id: ShellId, size: ShellSize) => {
      const { shells } = await placeAt(session);
      const order = { session_id: session, shell_id: id, ...shellSize(size) };
      return askPlace(shells.resize(order));
    },
    closeShell: async (session: SessionId, id: ShellId): Promise<Shell> => {
      const { shells } = await placeAt(session);
      return askPlace(shells.close({ session_id: session, shell_id: id }));
    },
    attachShell: async (
      session: SessionId,
      id: ShellId,
      after: number | null,
    ): Promise<AttachedShell> => {
      const { shells } = await placeAt(session);
      const order = { session_id: session, shell_id: id, after };
      return askPlace(shells.attach(order));
    },
  };
};

const openShell = async (
  deps: OperationDeps,
  session: SessionId,
  request: OpenShellRequest,
  key: string | undefined,
): Promise<Shell> => {
  await deps.held.requireHeard(session);
  const state = await deps.engine.state(session);
  if (state.deleted_at !== null)
    throw new RepriseError(
      "session_deleted",
      `The session ${session} is in the trash. Take it out of there first.`,
    );
  const { env, definition } = await agentSessionOf(deps, state);
  const { sandbox } = definition;
  const place = await deps.places.obtainHeld(placeOf(state));
  await checkSandbox(place, sandbox);
  return askPlace(
    place.shells.open({
      session_id: session,
      shell_id: key === undefined ? newId(deps) : idOf(session, key),
      ...shellSize(request),
      cwd: state.workspace.cwd,
      env,
      ...(sandbox !== undefined && { sandbox }),
    }),
  );
};

const newId = ({ clock }: Pick<OperationDeps, "clock">): ShellId =>
  ShellId.parse(`shl_${ulid(clock.now().getTime())}`);

/** The same key names the same shell, so that asking again opens no second one. */
const idOf = (session: SessionId, key: string): ShellId => {
  const digest = createHash("sha256").update(`${session}\0${key}`).digest();
  const letters = [...digest.subarray(0, 26)].map(
    (byte) => ALPHABET[byte % ALPHABET.length],
  );
  return ShellId.parse(`shl_${letters.join("")}`);
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * For a session that goes into the trash, which waits for no place. Where no agentctl is, or an older one, there are none to be
 * reached; where a place cannot be reached now, they go with the session's files.
 */
export const endShells = (
  { places, log }: Pick<OperationDeps, "places" | "log">,
  state: State,
): void => {
  const end = async (): Promise<void> => {
    const place = await places.findHeld(placeOf(state));
    await place?.shells.endAll(state.id);
  };
  end().catch((err: unknown) => {
    if (err instanceof LinkError && err.code === "unknown_method") return;
    log.warn(
      { err, session_id: state.id },
      "the shells of a session in the trash could not be ended",
    );
  });
};
