import type { Client } from "../../client/client.ts";
import type {
  Collected,
  DiskUse,
} from "../../contract/api/checkpoint-route.ts";
import { type PlaceRef, placeKey } from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { GcRequest } from "../../contract/api/request.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { count } from "../terminal/age.ts";
import { damage } from "../text/files/damage.ts";
import { size } from "../terminal/size.ts";
import { fields, table } from "../terminal/table.ts";
import type { World } from "../terminal/world.ts";

/** How many sessions are shown with what they take. */
const SHOWN = 10;

export const gc = command({
  name: "gc",
  summary: "Free what no session needs any more",
  about:
    "Keeps to `ttl_days`, `retention_days` and `trash_days` first, as config.json had them when the server started. Sessions go on meanwhile. With `--verify` everything that is stored is read before that: what is damaged is told and not relied on any more, and what is still in a workspace is stored again with its next checkpoint. With `--dry-run` as well, damage is only told.",
  args: [],
  options: {
    "dry-run": { kind: "flag", help: "only say what would go" },
    verify: { kind: "flag", help: "read everything that is stored first" },
  },
  examples: ["reprise gc --dry-run", "reprise gc", "reprise gc --verify"],
  exits: { 1: "damage was found, or a place could not be looked after" },
  async run({ options }, world) {
    const client = await world.client();
    const done = await collect(client, {
      dry_run: options["dry-run"],
      ...(options.verify && { verify: true }),
    });
    if (world.json) answer(world, done, () => "");
    else {
      const use = await client.showDiskUse();
      const text = [
        damage(done),
        collected(done),
        notDone(done),
        diskTable(use, world),
        unplaced(use),
      ].join("");
      answer(world, done, () => text);
    }
    return isSound(done) ? 0 : 1;
  },
});

/** To read everything may take longer than a request: then the server says so, and is asked again. */
const collect = async (
  client: Client,
  request: GcRequest,
): Promise<Collected> => {
  for (;;)
    try {
      return await client.collectGarbage(request);
    } catch (error) {
      const isUnderWay =
        request.verify === true &&
        error instanceof RepriseError &&
        error.code === "timed_out";
      if (!isUnderWay) throw error;
    }
};

const isSound = (done: Collected): boolean => {
  const { verification, blocked_by = [], damaged_sessions = [] } = done;
  return (
    problemsIn(done).length === 0 &&
    blocked_by.length === 0 &&
    damaged_sessions.length === 0 &&
    (verification === undefined ||
      (verification.damaged === 0 && verification.broken.length === 0))
  );
};

/** Where something was not done, and why. */
const problemsIn = ({ places = [], verification }: Collected) =>
  [
    ...(verification?.places ?? []).map((each) => ({ ...each, what: "read" })),
    ...places.map((each) => ({ ...each, what: "freed" })),
  ].flatMap((each) =>
    "problem" in each
      ? [
          `Nothing was ${each.what} at ${placeName(each.place)}: ${oneLine(each.problem.detail)}`,
        ]
      : [],
  );

const notDone = (done: Collected): string =>
  problemsIn(done)
    .map((line) => `${line}\n`)
    .join("");

const placeName = (place: PlaceRef): string => oneLine(placeKey(place));

const collected = (done: Collected): string => {
  const { dry_run, ended, deleted, purged } = done;
  const would = dry_run ? "would be " : "";
  const lines = [
    ...sessionLines(ended, `${would}ended: nobody used them for \`ttl_days\``),
    ...sessionLines(
      deleted,
      `${would}put into the trash: they ended \`retention_days\` ago`,
    ),
    ...sessionLines(
      purged,
      `${would}gone for good: \`trash_days\` in the trash are over`,
    ),
    `${size(done.freed_bytes)} ${would}freed, ${size(done.kept_bytes)} kept.\n`,
  ];
  return lines.join("");
};

const sessionLines = (sessions: readonly string[], what: string): string[] =>
  sessions.length === 0
    ? []
    : [
        `${count(sessions.length, "session")} ${what}\n`,
        ...sessions.map((id) => `  ${id}\n`),
      ];

const unplaced = ({ unplaced: left = [] }: DiskUse): string =>
  left.length === 0
    ? ""
    : [
        `\nIt is not known at which place these checkpoints are. They are kept everywhere, and count where they were found:\n`,
        ...left.map(
          (each) =>
            `  ${each.session_id}  ${count(each.checkpoints, "checkpoint")}\n`,
        ),
      ].join("");

/** The largest first. */
const diskTable = ({ sessions }: DiskUse, { out }: World): string => {
  if (sessions.length === 0) return "";
  const shown = sessions.slice(0, SHOWN).map((each) => [
    { text: `  ${each.id}` },
    { text: size(each.bytes) },
    {
      text: [
        each.name === null ? "" : oneLine(each.name),
        each.deleted_at === null ? "" : "(in the trash)",
      ]
        .join(" ")
        .trim(),
    },
  ]);
  const rest = sessions.length - shown.length;
  return [
    `\nWhat each session captured, before compression; what they share counts in each:\n`,
    table(shown, out.columns),
    rest === 0 ? "" : fields([["…", `and ${rest} more`]], out.palette.dim),
  ].join("");
};
