/** Reading the texts of an exported session. Whoever wrote them, nothing is believed that was not looked at. */
import {
  AnyManifest,
  ARCHIVE_VERSION,
  JOURNAL,
  MANIFEST,
  Manifest,
  MAX_JOURNAL_BYTES,
  MAX_MANIFEST_BYTES,
} from "../../../contract/session/archive.ts";
import { Event } from "../../../contract/event/event.ts";
import {
  isEventType,
  JournalEvent,
} from "../../../contract/event/journal-event.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { isDeeperThan } from "../../../kit/data/json-depth.ts";
import { LineSplitter } from "../../../kit/data/ndjson.ts";

const DEEPEST = 200;

export interface Archived {
  manifest: Manifest;
  events: Event[];
  /** How many files of its trees ask for privileges that they do not get. */
  privileged: number;
}

/** A named text. */
export interface ArchiveText {
  name: string;
  bytes: number;
  content(): AsyncIterable<Uint8Array>;
}

export const readArchive = async (
  members: readonly ArchiveText[],
  trees: ReadonlySet<string>,
): Promise<Omit<Archived, "privileged">> => {
  const manifest = await readManifest(members);
  const events = await readJournal(members);
  events.forEach((event, i) => refuseOutOfPlace(event, i, manifest));
  if (events.length !== manifest.events)
    throw damaged(
      `it tells of ${manifest.events} events and has ${events.length}`,
    );
  for (const event of events) refuseMissingTrees(event, trees);
  return { manifest, events };
};

export const damaged = (why: string, cause?: unknown): RepriseError =>
  new RepriseError(
    "damaged_archive",
    `The file cannot be taken in: ${why}. Nothing of it was kept. Export the session again.`,
    cause === undefined ? {} : { cause },
  );

const newer = (what: string): RepriseError =>
  new RepriseError(
    "newer_archive",
    `The file was made by a newer release: ${what}. Upgrade this one first.`,
  );

const readManifest = async (
  members: readonly ArchiveText[],
): Promise<Manifest> => {
  const text = named(members, MANIFEST, MAX_MANIFEST_BYTES);
  const pieces: Uint8Array[] = [];
  for await (const piece of text.content()) pieces.push(piece);
  const document = parseJson(Buffer.concat(pieces), MANIFEST);
  const any = AnyManifest.safeParse(document);
  if (any.success && any.data.version > ARCHIVE_VERSION)
    throw newer(`it is of version ${any.data.version}`);
  const manifest = Manifest.safeParse(document);
  if (manifest.success) return manifest.data;
  throw damaged(`its ${MANIFEST} is not one`, manifest.error);
};

const readJournal = async (
  members: readonly ArchiveText[],
): Promise<Event[]> => {
  const text = named(members, JOURNAL, MAX_JOURNAL_BYTES);
  const events: Event[] = [];
  const splitter = new LineSplitter(0);
  for await (const chunk of text.content())
    for (const { bytes } of splitter.push(Buffer.from(chunk)))
      events.push(readEvent(bytes));
  if (splitter.rest() !== null) throw damaged("its journal is cut off");
  return events;
};

const readEvent = (line: Uint8Array): Event => {
  const document = parseJson(line, JOURNAL);
  const any = Event.safeParse(document);
  if (any.success && !isEventType(any.data.type))
    throw newer(`nobody here knows ${any.data.type.slice(0, 100)}`);
  const event = JournalEvent.safeParse(document);
  if (event.success) return event.data;
  throw damaged("a line of its journal is no event", event.error);
};

const refuseOutOfPlace = (
  event: Event,
  i: number,
  { session_id }: Manifest,
): void => {
  if (event.session_id !== session_id)
    throw damaged(`its journal tells of ${event.session_id} too`);
  if (event.seq !== i + 1)
    throw damaged(`event ${i + 1} of its journal is numbered ${event.seq}`);
  if ((event.type === "session.created") !== (i === 0))
    throw damaged("a session is created once, first of all");
};

/** What the journal says can be restored must have come along. */
const refuseMissingTrees = (event: Event, trees: ReadonlySet<string>): void => {
  switch (event.type) {
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed": {
      const { id, tree, agent_state } = event.data.checkpoint;
      for (const each of [tree, agent_state])
        if (each !== null && !trees.has(each))
          throw damaged(`what ${id} holds is not in it`);
      return;
    }
    default:
      return;
  }
};

const named = (
  members: readonly ArchiveText[],
  name: string,
  most: number,
): ArchiveText => {
  const found = members.find((each) => each.name === name);
  if (found === undefined) throw damaged(`it has no ${name}`);
  if (found.bytes <= most) return found;
  throw new RepriseError(
    "unsafe_archive",
    `The ${name} in the file is larger than ${most} bytes. Nothing of it was kept.`,
  );
};

const parseJson = (bytes: Uint8Array, name: string): unknown => {
  if (isDeeperThan(bytes, DEEPEST))
    throw damaged(`its ${name} nests too deeply`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw damaged(`its ${name} cannot be read`, error);
  }
};
