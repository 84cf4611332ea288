/** The routes about checkpoints, and about what a session leaves behind. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import {
  Checkpoint,
  CheckpointId,
  CheckpointKind,
  Diff,
  RewindPlan,
} from "../session/checkpoint.ts";
import { SessionId } from "../base/id.ts";
import { PlaceRef } from "../base/place.ts";
import { ProblemCode } from "../problem/problem.ts";
import {
  DiffQuery,
  DiskQuery,
  EmptyRequest,
  ForkRequest,
  GcRequest,
  HandoffRequest,
  ImportQuery,
  RewindRequest,
} from "./request.ts";
import { Session } from "../session/session.ts";

export const CheckpointPage = z.object({
  checkpoints: z.array(Checkpoint),
  next: z.string().nullable(),
  /** The journal is damaged from this event on: these are the checkpoints before it. */
  damaged_from: z.number().int().optional(),
});

/** What was or would be done, and the session as it is now. */
export const Rewound = RewindPlan.extend({
  session: Session,
  /** What was captured before it: a rewind to that undoes this one. Absent from a preview, and where nothing was captured. */
  undo: RewindPlan.pick({
    turn: true,
    checkpoint: true,
    conversation: true,
  }).optional(),
});
export type Rewound = z.infer<typeof Rewound>;

/** Why nothing was done at a place. `detail` says what happened and what to do. */
export const PlaceProblem = z.object({ code: ProblemCode, detail: z.string() });
export type PlaceProblem = z.infer<typeof PlaceProblem>;

/** What was done at each place that is in use; the sums of it stand beside. Older servers did not tell. */
const partsOf = <S extends z.ZodRawShape>(shape: S) =>
  z
    .array(
      z.union([
        z.object({ place: PlaceRef, problem: PlaceProblem }),
        z.object({ place: PlaceRef, ...shape }),
      ]),
    )
    .optional();

/** What checkpoints take on the disk. Sessions share what is the same in them, so they may add up to more than the total. */
export const DiskUse = z.object({
  sessions: z.array(
    z.object({
      id: SessionId,
      name: z.string().nullable(),
      /** What it is called where it has no name. Older servers do not tell. */
      first_prompt: z.string().nullable().optional(),
      deleted_at: z.iso.datetime().nullable(),
      bytes: z.number(),
    }),
  ),
  total_bytes: z.number(),
  places: partsOf({ total_bytes: z.number() }),
  /** Sessions with checkpoints of which nobody knows the place, and how many. They count wherever they are found. */
  unplaced: z
    .array(z.object({ session_id: SessionId, checkpoints: z.number().int() }))
    .optional(),
});
export type DiskUse = z.infer<typeof DiskUse>;

/** A checkpoint that something of is lost. */
export const BrokenCheckpoint = z.object({
  session_id: SessionId,
  turn: z.number().int(),
  checkpoint: CheckpointId,
  kind: CheckpointKind,
  /** Of what: the workspace, or the agent's own session files. */
  of: z.enum(["workspace", "agent_state"]),
  /** How many paths cannot be restored, and the first of them. A directory that cannot be read counts once. */
  lost: z.number().int(),
  paths: z.array(z.string()),
});
export type BrokenCheckpoint = z.infer<typeof BrokenCheckpoint>;

const verified = {
  packs: z.number().int(),
  bytes: z.number(),
  /** Those that are what they were, and those that are not. */
  objects: z.number().int(),
  damaged: z.number().int(),
  /** How many checkpoints were looked at. */
  checkpoints: z.number().int(),
  broken: z.array(BrokenCheckpoint),
};

/** What reading everything that is stored has shown. */
export const Verification = z.object({
  ...verified,
  places: partsOf(verified),
});
export type Verification = z.infer<typeof Verification>;

const freed = {
  freed_bytes: z.number(),
  kept_bytes: z.number(),
  /** What these need is not known, because a directory of theirs cannot be read: while they are kept nothing is freed. */
  blocked_by: z
    .array(BrokenCheckpoint.omit({ lost: true, paths: true }))
    .optional(),
  /** What these need is not known, because their journals are damaged: while they are kept nothing is freed. */
  damaged_sessions: z.array(SessionId).optional(),
};

/** What a collection did or would do. */
export const Collected = z.object({
  dry_run: z.boolean(),
  /** Ended, because nobody used them for `ttl_days`. */
  ended: z.array(SessionId),
  /** Put into the trash, because they ended `retention_days` ago. */
  deleted: z.array(SessionId),
  /** Gone for good, because they were in the trash for `trash_days`, or because somebody had asked and it could not be finished. */
  purged: z.array(SessionId),
  ...freed,
  places: partsOf(freed),
  /** When everything was to be read first. */
  verification: Verification.optional(),
});
export type Collected = z.infer<typeof Collected>;

/** It is gone for good. */
export const PurgedSession = z.object({ session_id: SessionId });
export type PurgedSession = z.infer<typeof PurgedSession>;

/** The bytes of a file; it is not parsed. */
const Archive = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

export const checkpointRoutes = {
  listCheckpoints: {
    ...endpoint("listCheckpoints"),
    summary: "The checkpoints of a session, oldest first",
    answer: CheckpointPage,
  },
  showDiff: {
    ...endpoint("showDiff"),
    summary: "What changed between two moments, or in one turn",
    query: DiffQuery,
    answer: Diff,
  },
  rewindSession: {
    ...endpoint("rewindSession"),
    summary: "Bring workspace and conversation back to an earlier turn",
    body: RewindRequest,
    answer: Rewound,
  },
  forkSession: {
    ...endpoint("forkSession"),
    summary: "Start a session that goes on from a turn of this one",
    body: ForkRequest,
    answer: Session,
  },
  handOffSession: {
    ...endpoint("handOffSession"),
    summary: "Let another agent go on",
    body: HandoffRequest,
    answer: Session,
  },
  deleteSession: {
    ...endpoint("deleteSession"),
    summary: "Put a session into the trash",
    answer: Session,
  },
  undeleteSession: {
    ...endpoint("undeleteSession"),
    summary: "Take a session out of the trash",
    body: EmptyRequest,
    answer: Session,
  },
  purgeSession: {
    ...endpoint("purgeSession"),
    summary: "Remove a session that is in the trash for good",
    body: EmptyRequest,
    answer: PurgedSession,
  },
  exportSession: {
    ...endpoint("exportSession"),
    summary: "A session as one file: journal, checkpoints, the agent's files",
    answer: Archive,
    traits: ["download"],
  },
  importSession: {
    ...endpoint("importSession"),
    summary: "Take in a session that was exported",
    query: ImportQuery,
    answer: Session,
    traits: ["upload"],
  },
  collectGarbage: {
    ...endpoint("collectGarbage"),
    summary: "Keep to the retention policy and free what nothing needs",
    body: GcRequest,
    answer: Collected,
  },
  showDiskUse: {
    ...endpoint("showDiskUse"),
    summary: "What checkpoints take on the disk",
    query: DiskQuery,
    answer: DiskUse,
  },
} as const;
