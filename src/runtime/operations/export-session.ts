import { join } from "node:path";
import { Readable } from "node:stream";
import type { SessionId } from "../../contract/id.ts";
import { JOURNAL, MANIFEST, type Manifest } from "../../contract/archive.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { State } from "../../session/state.ts";
import { eventsOf } from "../journal-reader.ts";
import { streamScratch, withScratch, writeScratch } from "../scratch.ts";
import { soundStateOf } from "../sound-state.ts";
import { askPlace } from "./ask-place.ts";
import { orDamaged } from "./damage.ts";
import { treesOf } from "./disk.ts";
import type { House } from "./house.ts";
import { journalText } from "./journal-text.ts";
import { settled } from "./settled.ts";

/** A session as one file. */
export interface Exported {
  bytes: number;
  /** Read it or destroy it. */
  content: Readable;
}

export const exportOperations = (house: House) => ({
  exportSession: (session: SessionId) =>
    house.captures.hold(() => exportSession(house, session)),
});

const exportSession = async (
  house: House,
  session: SessionId,
): Promise<Exported> => {
  const { state, damaged_from } = await orDamaged<{
    state: State;
    damaged_from: number | null;
  }>(
    house,
    session,
    async () => ({ state: await atRest(house, session), damaged_from: null }),
    async (_, damaged_from) => ({
      state: await soundStateOf(house, session),
      damaged_from,
    }),
  );
  return withScratch(house.scratch, async (directory) => {
    const members = await writeMembers(house, state, damaged_from, directory);
    const told = await house.store.checkpoints(session);
    const trees = treesOf(told.map(({ data }) => data.checkpoint));
    const file = join(directory, "archive");
    const place = await house.places.obtain(state.executor);
    const { bytes } = await askPlace(
      place.workspaces.export({
        file,
        trees: [...trees],
        members,
      }),
    );
    return { bytes, content: await streamScratch(file) };
  });
};

const atRest = async (house: House, session: SessionId): Promise<State> => {
  refuseBusy(await house.engine.state(session));
  const state = await settled(
    house,
    session,
    "Capturing what the last turn left",
    ({ due }) => due === null,
  );
  refuseBusy(state);
  return state;
};

/** A turn in progress would be torn in two. */
const refuseBusy = ({ lifecycle, rewinding }: State): void => {
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
const writeMembers = async (
  { store, clock, version }: House,
  { id, seq }: State,
  damaged_from: number | null,
  directory: string,
): Promise<{ name: string; file: string }[]> => {
  const manifest: Manifest = {
    version: 1,
    session_id: id,
    events: seq,
    exported_at: clock.now().toISOString(),
    release: version,
    ...(damaged_from === null ? {} : { damaged_from }),
  };
  const at = (name: string) => ({ name, file: join(directory, name) });
  await writeScratch(
    at(MANIFEST).file,
    Readable.from([`${JSON.stringify(manifest)}\n`]),
  );
  await writeScratch(
    at(JOURNAL).file,
    journalText(upTo(seq, eventsOf(store, id))),
  );
  return [at(MANIFEST), at(JOURNAL)];
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
