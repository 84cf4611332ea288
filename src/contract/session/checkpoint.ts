import * as z from "zod";
import { AgentId, AgentMessageId, AgentToken } from "../agent/agent.ts";
import { Changes } from "./changes.ts";

/** A checkpoint is named after the event that tells of it: `chk_<seq>`, unique within its session. */
export const CheckpointId = z
  .string()
  .regex(/^chk_\d+$/, "must look like chk_12")
  .brand<"chk">();
export type CheckpointId = z.infer<typeof CheckpointId>;

export const checkpointId = (seq: number): CheckpointId =>
  CheckpointId.parse(`chk_${seq}`);

/** SHA-256 of a tree, in hex. */
export const TreeHash = z.string().regex(/^[0-9a-f]{64}$/);

export const CheckpointKind = z.enum([
  /** What the session found when it began: turn 0, or the turn it was forked from. */
  "baseline",
  /** What a turn found, where that is not what the checkpoint before it holds, or others work there too. */
  "start",
  /** What a turn left. */
  "turn",
  /** In the middle of a long turn. */
  "safety",
  /** What was there when the agent was stopped. */
  "pause",
  /** What was there when the session had ended. */
  "end",
  /** What a rewind was about to change. */
  "rewind",
]);
export type CheckpointKind = z.infer<typeof CheckpointKind>;

/** Something that is not in a checkpoint, and why. */
export const LeftOut = z.object({
  path: z.string(),
  reason: z.string(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** A commit or a tree of git, in hex. */
export const GitHash = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

/** What git had checked out. */
export const GitState = z.object({
  /** The commit that HEAD was at; null before the first one. */
  head: GitHash.nullable(),
  /** The branch that HEAD was on, in full; null when it was on none. */
  branch: z
    .string()
    .regex(/^refs\/[^\s\p{Cc}]+$/u)
    .max(1024)
    .nullable(),
  /** In a worktree that was made for the session: whether HEAD was on its own branch, and where that branch was. */
  own: z.object({ on: z.boolean(), tip: GitHash.nullable() }).nullable(),
  /** What was staged, as a tree; null when that is not known: not in such a worktree, or with conflicts. */
  index: GitHash.nullable(),
});
export type GitState = z.infer<typeof GitState>;

/** What came of a capture. */
export const CaptureOutcome = z.enum(["saved", "partial", "failed"]);
export type CaptureOutcome = z.infer<typeof CaptureOutcome>;

/** What was captured, as agentctl tells it. Lists of paths are cut at their first hundred. */
export const Capture = z.object({
  outcome: CaptureOutcome,
  /** Why it failed. */
  reason: z.string().nullable(),
  tree: TreeHash.nullable(),
  /** The agent's own session files; null when it keeps none that could be found. */
  agent_state: TreeHash.nullable(),
  files: z.number().int(),
  bytes: z.number(),
  new_bytes: z.number(),
  took_ms: z.number(),
  unstable: z.array(z.string()),
  unreadable: z.array(z.string()),
  left_out: z.array(LeftOut),
  /** Absent where there is no repository, and in checkpoints of older releases. */
  git: GitState.optional(),
  /** What changed since the capture before it. Absent where that was not asked for, and in checkpoints of older releases. */
  changes: Changes.optional(),
});
export type Capture = z.infer<typeof Capture>;

/** Nothing was captured, and why. */
export const failedCapture = (reason: string, took_ms: number): Capture => ({
  outcome: "failed",
  reason,
  tree: null,
  agent_state: null,
  files: 0,
  bytes: 0,
  new_bytes: 0,
  took_ms: Math.round(took_ms),
  unstable: [],
  unreadable: [],
  left_out: [],
});

/** The workspace and the agent's own session files at one moment, and the events that belong to it. */
export const Checkpoint = z.object({
  id: CheckpointId,
  turn: z.number().int(),
  kind: CheckpointKind,
  ...Capture.shape,
  /** Other sessions work in the same directory. */
  shared: z.boolean(),
  /** The last event before it: what was said up to here belongs to it. */
  seq: z.number().int(),
  /** Which agent's files it holds, whose session they are, and where it worked. Older releases did not say which. */
  agent: AgentId.optional(),
  token: AgentToken.nullable(),
  /** The last message of that session, where the agent told it. */
  last_message_id: AgentMessageId.optional(),
  cwd: z.string(),
  at: z.iso.datetime(),
  /**
   * Grows from checkpoint to checkpoint of all sessions of a home, whatever its clock says. Absent in checkpoints of older
   * releases, and in those that came from another home.
   */
  order: z.number().int().nonnegative().optional(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The agent's own session as it was saved: put in place before the agent starts again. */
export const Memory = z.object({
  tree: TreeHash,
  token: AgentToken,
  /** The message behind which the session is taken up, where the agent told it. */
  last_message_id: AgentMessageId.optional(),
  /** Where the agent worked when it was saved. */
  cwd: z.string(),
  /** Under a new id, so that the session it came from goes its own way. */
  renamed: z.boolean(),
});
export type Memory = z.infer<typeof Memory>;

/** Told when files could not be given all their extended attributes; the first of them are named. */
export const attributesLeftOut = (paths: readonly string[]): string => {
  const names = paths.slice(0, 5).join(", ");
  const files = paths.length === 1 ? "1 path" : `${paths.length} paths`;
  return `The file system of the workspace did not take all extended attributes (ACLs, capabilities) of ${files}: ${names}${paths.length > 5 ? ", …" : ""}. Their content is there, and nobody has more access than before.`;
};

export const ChangeKind = z.enum([
  "added",
  "removed",
  "modified",
  "mode",
  "type",
]);

/** One difference between two trees. */
export const Change = z.object({
  path: z.string(),
  kind: ChangeKind,
});
export type Change = z.infer<typeof Change>;

/** A path that nothing is known of, and a code for the reason. */
export const Unknown = z.object({
  path: z.string(),
  /**
   * `mounted`: something is mounted there, which is not part of the workspace. `other_worktrees`: a repository that came
   * since, and that others work with.
   */
  reason: z.enum(["mounted", "other_worktrees"]),
});
export type Unknown = z.infer<typeof Unknown>;

/** Of the workspace as it is now: paths that kept changing while they were read, or could not be. Nothing else is said of them. */
export const NotRead = z.array(z.string()).optional();

export const Diff = z.object({
  /** Null stands for nothing at all, and `now` for the workspace as it is. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  changes: z.array(Change),
  not_read: NotRead,
  /** Paths that one of the two does not hold, so that nobody knows whether they are different. */
  not_captured: z.array(Unknown).optional(),
  /** Unified text of what is text, when it was asked for. */
  text: z.string().nullable(),
  /** There is more than was told. */
  truncated: z.boolean(),
});
export type Diff = z.infer<typeof Diff>;

/** HEAD of the repository is not where it was then. */
export const HeadChange = z.object({
  was: GitState.pick({ head: true, branch: true }),
  now: GitState.pick({ head: true, branch: true }),
  /** Whether the rewind brings it back. */
  moves: z.boolean(),
  /** Commits that HEAD has now and had not then, the newest first, and how many there are besides. */
  commits: z.array(z.object({ id: GitHash, subject: z.string() })),
  more_commits: z.number().int().optional(),
});
export type HeadChange = z.infer<typeof HeadChange>;

/** What a rewind meets that no turn of the session did. */
export const NotOfTurns = {
  /** Changed while no turn ran, and touched by the rewind unless they are kept. */
  edits: z.array(Change).optional(),
  /** Whether they stay as they are. */
  keeps_edits: z.boolean().optional(),
  head: HeadChange.optional(),
};

/** What a rewind does or would do. */
export const RewindPlan = z.object({
  turn: z.number().int(),
  checkpoint: CheckpointId,
  /** What becomes of files in the workspace. */
  changes: z.array(Change),
  /** What others changed since: such a rewind is refused. */
  conflicts: z.array(Change),
  /** How many there are besides, where there are too many to name. */
  more_conflicts: z.number().int().optional(),
  /** What is not brought back, because it is not the workspace's any more. */
  left_alone: z.array(Unknown).optional(),
  /** How the agent will know what was said: from its own files, or from the history as text. */
  conversation: z.enum(["native", "injected", "fresh"]),
  ...NotOfTurns,
  truncated: z.boolean(),
});
export type RewindPlan = z.infer<typeof RewindPlan>;
