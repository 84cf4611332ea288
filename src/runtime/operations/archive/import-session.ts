import { createHash, type Hash } from "node:crypto";
import { MadeSession } from "../../../contract/event/draft.ts";
import type { ImportQuery } from "../../../contract/api/request.ts";
import type { SessionId, TransferId } from "../../../contract/base/id.ts";
import type { Directory, PlaceRef } from "../../../contract/base/place.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { Session } from "../../../contract/session/session.ts";
import { decideImport } from "../../../session/decide/import.ts";
import { viewOf } from "../../../session/view/view.ts";
import { type Kept, once } from "../session-wish.ts";
import type { Place } from "../../ports/executors.ts";
import { type Archived, damaged, readArchive } from "./archive.ts";
import { allSessions } from "../../sessions/all-sessions.ts";
import { Lanes } from "../../../kit/time/lanes.ts";
import { askPlace } from "../ask-place.ts";
import { chosenPlace } from "../chosen-place.ts";
import { openTask } from "../open-task.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { release } from "./release.ts";
import { LIVE, shareWorkspace } from "../rewind/shares.ts";
import {
  absolute,
  ownDirectory,
  realPathOf,
  refuseOurs,
} from "../workspace.ts";

/** How much may come in before the disk is looked at again. */
const LOOK_EVERY_BYTES = 8 * 1024 * 1024;

export const importOperations = (deps: OperationDeps) => {
  const admissions = new Lanes();
  return {
    importSession: (
      content: AsyncIterable<Uint8Array>,
      query: ImportQuery,
      key?: string,
    ) => importSession({ ...deps, admissions }, content, query, key),
  };
};

/** One after the other: two that bring the same session, or go to the same place, must not both find nothing there. */
type ImportDeps = OperationDeps & { admissions: Lanes };

/** Whoever sends slowly holds up nobody: what is in the store is referred to only when all of the file is here. */
const importSession = async (
  deps: ImportDeps,
  content: AsyncIterable<Uint8Array>,
  { cwd, ...where }: ImportQuery,
  key: string | undefined,
): Promise<Session> => {
  requireHere(where);
  await deps.room.check();
  const at = chosenPlace(deps, where);
  const place = await deps.places.obtain(at);
  const hash = createHash("sha256");
  const archive = await askPlace(
    place.transfers.upload(guarded(deps, hash, content)),
  );
  try {
    return await once(deps, {
      scope: "import",
      key,
      request: { file: hash.digest("hex"), cwd: cwd ?? null },
      draft: MadeSession,
      answer: Session,
      begin: (keep) =>
        takeUp(
          deps,
          { at, place, archive },
          cwd,
          keep(({ id }) => ({ id })),
        ),
      finish: async ({ id }) => {
        // What is made for it is its own; elsewhere others may be at work.
        if (cwd !== undefined)
          await shareWorkspace(deps, await deps.engine.state(id));
        return viewOf(await deps.engine.state(id));
      },
    });
  } finally {
    await release(deps, place, [{ transfer: archive }]);
  }
};

/** Its checkpoints come into the store of the server's machine, where it goes on. */
const requireHere = ({
  executor = "standalone",
  host,
}: Pick<ImportQuery, "executor" | "host">): void => {
  if (executor === "standalone" && host === undefined) return;
  const where = host === undefined ? `executor ${executor}` : `host ${host}`;
  throw new RepriseError(
    "not_supported",
    `Sessions can only be imported on the machine of the server, not on the ${where}. Leave executor and host out.`,
  );
};

/** A file that was sent to agentctl, and is checked and taken in there. */
interface Sent {
  at: PlaceRef;
  place: Place;
  archive: TransferId;
}

const takeUp = async (
  deps: ImportDeps,
  sent: Sent,
  wanted: string | undefined,
  kept: Kept,
): Promise<MadeSession> => {
  const cwd =
    wanted === undefined
      ? undefined
      : await freeDirectory(deps, sent.place, absolute("cwd", wanted));
  const archived = await lookInto(deps, sent);
  return deps.captures.hold(sent.at, () =>
    deps.admissions.run("import", () =>
      admit(deps, archived, { at: sent.at, cwd }, kept, () => takeIn(sent)),
    ),
  );
};

/** agentctl checks every byte of it; what is text comes here. Nothing is kept yet: the text may be what is wrong. */
const lookInto = async (
  deps: OperationDeps,
  { place, archive: transfer }: Sent,
): Promise<Archived> => {
  const { trees, privileged, members } = await askPlace(
    place.workspaces.import_archive({ transfer, keep: false }),
  );
  const texts = members.map(({ name, transfer, bytes }) => ({
    name,
    bytes,
    content: () => place.transfers.download(transfer),
  }));
  try {
    return { ...(await readArchive(texts, new Set(trees))), privileged };
  } finally {
    await release(deps, place, members);
  }
};

const takeIn = async ({ place, archive }: Sent): Promise<void> => {
  const order = { transfer: archive, keep: true };
  await askPlace(place.workspaces.import_archive(order));
};

/** Everything is read and understood before any event of it is kept. Its directory is made when its agent first starts. */
const admit = async (
  deps: OperationDeps,
  { manifest, events, privileged }: Archived,
  { at: place, cwd }: { at: PlaceRef; cwd: string | undefined },
  kept: Kept,
  takeIn: () => Promise<void>,
): Promise<MadeSession> => {
  const { engine } = deps;
  const { session_id } = manifest;
  await refuseKnown(deps, session_id);
  if (cwd !== undefined) await refuseTaken(deps, { place, path: cwd });
  const decision = understood(
    {
      events,
      // The task it belonged to may be known in the other home only.
      task_id: await openTask(deps, events[0]?.task_id ?? null),
      damaged_from: manifest.damaged_from ?? null,
      place,
      cwd: cwd ?? ownDirectory(deps, session_id),
      privileged,
    },
    deps.clock.now().toISOString(),
  );
  await takeIn();
  await engine.admit(decision, kept);
  return { id: session_id };
};

/** What comes in stops before the disk is full. */
async function* guarded(
  { room }: OperationDeps,
  hash: Hash,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let unseen = 0;
  for await (const piece of content) {
    hash.update(piece);
    unseen += piece.length;
    if (unseen >= LOOK_EVERY_BYTES) {
      await room.check();
      unseen = 0;
    }
    yield piece;
  }
}

/** By its name without links, if there is nothing yet and it is not ours. */
const freeDirectory = async (
  deps: OperationDeps,
  place: Place,
  path: string,
): Promise<string> => {
  const cwd = await realPathOf(place, path);
  refuseOurs(deps, place, cwd);
  if ((await place.workspace(cwd)).kind === "missing") return cwd;
  throw new RepriseError(
    "file_exists",
    `${cwd} is there already, and nothing is overwritten. Choose a directory that is not there yet.`,
  );
};

/** The directory of a session that has not run here yet is made later, and is its own. */
const refuseTaken = async (
  { store }: OperationDeps,
  cwd: Directory,
): Promise<void> => {
  for await (const { id } of allSessions(store, { states: LIVE, cwd }))
    throw new RepriseError(
      "file_exists",
      `${cwd.path} is where ${id} works. Choose another directory.`,
    );
};

const refuseKnown = async (
  { store }: OperationDeps,
  session: SessionId,
): Promise<void> => {
  if ((await store.session(session)) === null) return;
  throw new RepriseError(
    "session_exists",
    `${session} is here already. To go on from what it was, fork it.`,
  );
};

/** Events that make no session together are as bad as bytes that make no event. */
const understood = (...given: Parameters<typeof decideImport>) => {
  try {
    const decision = decideImport(...given);
    Session.parse(viewOf(decision.after));
    return decision;
  } catch (error) {
    throw damaged("its events do not make a session", error);
  }
};
