import { Readable } from "node:stream";
import type { SessionId, TransferId } from "../../../contract/base/id.ts";
import {
  JOURNAL,
  MANIFEST,
  type Manifest,
} from "../../../contract/session/archive.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import type { State } from "../../../session/state/state.ts";
import { placeOf } from "../../../session/state/place.ts";
import type { Sessions } from "../../sessions/session-journal.ts";
import { eventsOf } from "../../../journal/journal-reader.ts";
import type { Place } from "../../ports/executors.ts";
import { soundStateOf } from "../../sessions/sound-state.ts";
import { askPlace } from "../ask-place.ts";
import { placeOfSession } from "../chosen-place.ts";
import { orDamaged } from "../damage.ts";
import { treesOf } from "../upkeep/needs.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { journalText } from "./journal-text.ts";
import { release } from "./release.ts";
import { settled } from "../settled.ts";

/** A session as one file. */
export interface Exported {
  bytes: number;
  /** Read it or destroy it. */
  content: Readable;
}

export const exportOperations = (deps: OperationDeps) => ({
  exportSession: async (session: SessionId) =>
    deps.captures.hold(await placeOfSession(deps, session), () =>
      exportSession(deps, session),
    ),
});

const exportSession = async (
  deps: OperationDeps,
  session: SessionId,
): Promise<Exported> => {
  await deps.held.requireHeard(session);
  const { state, damaged_from } = await orDamaged<{
    state: State;
    damaged_from: number | null;
  }>(
    deps,
    session,
    async () => ({ state: await atRest(deps, session), damaged_from: null }),
    async (_, damaged_from) => ({
      state: await soundStateOf(deps, session),
      damaged_from,
    }),
  );
  const place = await deps.places.obtainHeld(placeOf(state));
  const told = await deps.store.checkpoints(session);
  const trees = treesOf(told.map(({ data }) => data.checkpoint));
  const members = await sendMembers(deps, place, state, damaged_from);
  try {
    const { transfer, bytes } = await askPlace(
      place.workspaces.export_archive({
        trees: [...trees],
        members,
      }),
    );
    return { bytes, content: contentOf(deps, place, transfer) };
  } finally {
    await release(deps, place, members);
  }
};

/** It lies with agentctl until it was read. */
const contentOf = (
  deps: OperationDeps,
  place: Place,
  transfer: TransferId,
): Readable => {
  const bytes = place.transfers.download(transfer);
  const content = Readable.from(bytes, { objectMode: false });
  content.once("close", () => void release(deps, place, [{ transfer }]));
  return content;
};

const atRest = async (
  deps: OperationDeps,
  session: SessionId,
): Promise<State> => {
  refuseBusy(await deps.engine.state(session));
  const state = await settled(
    deps,
    session,
    "Capturing what the last turn left",
    ({ checkpoints: { due } }) => due === null,
  );
  refuseBusy(state);
  return state;
};

/** A turn in progress would be torn in two. */
const refuseBusy = ({ lifecycle, checkpoints: { rewinding } }: State): void => {
  const { name } = lifecycle;
  if (name !== "RUNNING" && name !== "STARTING" && rewinding === null) return;
  throw new RepriseError(
    "wrong_state",
    rewinding === null
      ? "Wait until the turn has ended, or pause the session first."
      : "The session is being rewound: wait until that is done.",
    { state: name },
  );
};

/** The journal up to the state that was looked at: what comes later is no part of it. Secrets are not in it. */
const sendMembers = async (
  deps: OperationDeps,
  place: Place,
  { id, seq }: State,
  damaged_from: number | null,
): Promise<{ name: string; transfer: TransferId }[]> => {
  const { store, clock, version } = deps;
  const manifest: Manifest = {
    version: 1,
    session_id: id,
    events: seq,
    exported_at: clock.now().toISOString(),
    release: version,
    ...(damaged_from === null ? {} : { damaged_from }),
  };
  const text = Readable.from([`${JSON.stringify(manifest)}\n`]);
  const events = journalText(upTo(seq, eventsOf<Sessions>(store, id)));
  const sent: { name: string; transfer: TransferId }[] = [];
  const send = async (name: string, content: AsyncIterable<string>) => {
    const transfer = await askPlace(place.transfers.upload(content));
    sent.push({ name, transfer });
  };
  try {
    await send(MANIFEST, text);
    await send(JOURNAL, events);
    return sent;
  } catch (error) {
    await release(deps, place, sent);
    throw error;
  }
};

async function* upTo<T extends { seq: number }>(
  seq: number,
  events: AsyncIterable<T>,
): AsyncGenerator<T> {
  for await (const event of events) {
    yield event;
    // The one behind it may be damaged, and nobody asks for it.
    if (event.seq >= seq) return;
  }
}
