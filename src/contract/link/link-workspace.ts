/** What the link can be asked about workspaces and checkpoints. */
import * as z from "zod";
import {
  AgentDefinition,
  AgentOverride,
  InstructionFile,
} from "../agent/agent.ts";
import {
  Capture,
  Change,
  GitState,
  NotOfTurns,
  NotRead,
  TreeHash,
  Unknown,
} from "../session/checkpoint.ts";
import { Rebuild } from "../session/rebuild.ts";
import { ExecutionId, SessionId, TransferId } from "../base/id.ts";

/** Whose PATH it is in an agent's environment: of the terminal that asked for the agent, or of the server, where none is known. */
export const PathFrom = z.enum(["caller", "server"]);
export type PathFrom = z.infer<typeof PathFrom>;

/** An agent's environment says where its home is. Never logged, and never written to disk, besides a caller's PATH. */
const AgentEnv = z.record(z.string(), z.string());

/** Whose own session files are meant. */
export const AgentSession = z.object({
  definition: AgentDefinition,
  override: AgentOverride.optional(),
  env: AgentEnv,
  /** Not said where the session or `config.json` gives the PATH, nor by an older server. */
  path_from: PathFrom.exactOptional(),
  token: z.string().nullable(),
});
export type AgentSession = z.infer<typeof AgentSession>;

/** A directory of its own in somebody's repository. */
export const Worktree = z.object({
  id: z.string(),
  path: z.string(),
  branch: z.string(),
  repository: z.string(),
});
export type Worktree = z.infer<typeof Worktree>;

export const workspaceMethods = {
  /** A session from outside its journal, in one go. */
  look: {
    params: z.object({
      session_id: SessionId,
      /** The execution that should be alive, or the newest that has ended. */
      execution_id: ExecutionId.nullable(),
      cwd: z.string(),
      agent: AgentSession,
    }),
    result: z.object({
      workspace: z.enum(["directory", "other", "missing"]),
      alive: z.boolean(),
      survivors: z.array(z.number().int()),
      installed: z.boolean(),
      /** The agent's own session file; `unknown` when it keeps none that we know of. */
      transcript: z.enum(["present", "missing", "unknown"]),
      /** Files that tell agents how to work there. An older agentctl does not say. */
      instruction_files: z.array(InstructionFile).optional(),
      /** The highest epoch that the session has had here. An older agentctl does not say. */
      epoch: z.number().int().optional(),
    }),
  },
  /** Captures a workspace and the agent's own session files. What is told is durable. */
  checkpoint: {
    params: z.object({
      session_id: SessionId,
      cwd: z.string(),
      /** Made for the session: its commits and what is staged are kept. */
      worktree: Worktree.nullable().optional(),
      agent: AgentSession,
      deadline_ms: z.number().int(),
      /** A workspace that holds more is not captured. */
      most_bytes: z.number().optional(),
      /** Also counts what changed since this tree. An older agentctl does not. */
      since: TreeHash.optional(),
    }),
    result: Capture,
  },
  diff: {
    params: z.object({
      session_id: SessionId,
      from: TreeHash.nullable(),
      /** Null: nothing at all. A directory: as it is now, without what its checkpoints leave out. */
      to: z.union([
        TreeHash,
        z.object({ cwd: z.string(), env: AgentEnv.optional() }),
        z.null(),
      ]),
      /** Also tells the text of what changed. */
      text: z.boolean(),
    }),
    result: z.object({
      changes: z.array(Change),
      not_read: NotRead,
      not_captured: z.array(Unknown).optional(),
      text: z.string().nullable(),
      truncated: z.boolean(),
    }),
  },
  /** Brings a workspace back to a tree, or says what that would do. Conflicts are told, and then nothing is touched. */
  rewind: {
    params: z.object({
      session_id: SessionId,
      cwd: z.string(),
      /** What its checkpoints leave out is not touched either. An older server does not say. */
      env: AgentEnv.optional(),
      tree: TreeHash,
      dry_run: z.boolean(),
      /** What was there a moment ago. What came since is in no checkpoint, and is not undone. */
      captured: TreeHash.optional(),
      /** In a shared directory: what this session did, turn by turn. Only that is undone. */
      own: z.array(z.object({ from: TreeHash, to: TreeHash })).nullable(),
      /** What others did at the same time. */
      others: z.array(z.object({ from: TreeHash, to: TreeHash })),
      /** Made again where it is missing. */
      worktree: Worktree.nullable().optional(),
      moved: Rebuild.shape.moved,
      /** What git had checked out then, and a moment ago; null when that was not captured. */
      git: z.object({ to: GitState, from: GitState.nullable() }).optional(),
      /** In a directory that nobody shares: what the session's turns did. Whatever else was done is a person's. */
      turns: z.array(z.object({ from: TreeHash, to: TreeHash })).optional(),
      /** What a person did stays as it is, and so does what git has checked out. */
      keep_edits: z.boolean().optional(),
      /** What git had checked out then, in whatever repository the directory is. */
      head: GitState.optional(),
    }),
    result: z.object({
      changes: z.array(Change),
      conflicts: z.array(Change),
      /** How many there are besides, where there are too many to name. */
      more_conflicts: z.number().int().optional(),
      left_alone: z.array(Unknown).optional(),
      /** Paths that could not be given all their extended attributes, cut at a hundred. */
      incomplete: z.array(z.string()).optional(),
      /** The commit of then is not in a repository any more, or nobody knows which that was: HEAD and its branch stay there. */
      commit_missing: z.boolean().optional(),
      ...NotOfTurns,
      truncated: z.boolean(),
    }),
  },
  /** A directory that belongs to the session alone; answered with what is there when it was made before. An older agentctl does not know this order. */
  make_workspace: {
    params: z.object({ session_id: SessionId }),
    result: z.object({ path: z.string() }),
  },
  /** A worktree and its branch; answered with what is there when it was made before. */
  worktree: {
    params: Worktree,
    result: z.object({}),
  },
  /** Keeps the commits that a checkpoint names, and what was staged, for a session that will begin there. */
  keep_commits: {
    params: z.object({
      session_id: SessionId,
      repository: z.string(),
      git: GitState,
    }),
    result: z.object({}),
  },
  /** Makes one file of trees and of named texts that were sent before. */
  export_archive: {
    params: z.object({
      trees: z.array(TreeHash),
      members: z.array(z.object({ name: z.string(), transfer: TransferId })),
    }),
    result: z.object({ transfer: TransferId, bytes: z.number() }),
  },
  /** Checks such a file, which was sent before. Then all of its trees are kept, or its named texts are told and nothing is kept. */
  import_archive: {
    params: z.object({ transfer: TransferId, keep: z.boolean() }),
    result: z.object({
      trees: z.array(TreeHash),
      members: z.array(
        z.object({
          name: z.string(),
          transfer: TransferId,
          bytes: z.number(),
        }),
      ),
      /** How many files are setuid or setgid, or have capabilities: they are restored without. */
      privileged: z.number().int(),
    }),
  },
  /** From here on everything captured is kept by the prune that follows. */
  prune_begin: { params: z.object({}), result: z.object({ mark: z.string() }) },
  /** Frees what none of these trees needs. */
  prune: {
    params: z.object({
      mark: z.string(),
      trees: z.array(TreeHash),
      dry_run: z.boolean(),
    }),
    result: z.object({
      freed_bytes: z.number(),
      kept_bytes: z.number(),
      /** Trees of which a directory cannot be read: while they are kept nothing is freed. */
      unreadable: z.array(TreeHash).optional(),
    }),
  },
  /** Reads everything that is stored; a new order ends one that is under way. */
  verify: {
    params: z.object({
      trees: z.array(TreeHash),
      /** Only tell: what is damaged is relied on as before. */
      dry_run: z.boolean(),
    }),
    result: z.object({
      packs: z.number(),
      bytes: z.number(),
      objects: z.number(),
      damaged: z.number(),
      /** Those of the trees that are not whole, how many paths each lost, and the first of them. */
      broken: z.array(
        z.object({
          tree: TreeHash,
          lost: z.number(),
          paths: z.array(z.string()),
        }),
      ),
    }),
  },
  /** Bytes that sets of trees hold: each by itself, and all together once. */
  disk: {
    params: z.object({
      sets: z.array(z.object({ id: z.string(), trees: z.array(TreeHash) })),
    }),
    result: z.object({
      sets: z.array(z.object({ id: z.string(), bytes: z.number() })),
      total_bytes: z.number(),
    }),
  },
  /** Takes away what was made for a session that was never written down, if nothing was done in it. */
  abandon: {
    params: z.object({ session_id: SessionId }),
    result: z.object({ removed: z.boolean() }),
  },
  /** Removes directories that belong to a session alone: its workspace under the home, its private agent home. */
  discard: {
    params: z.object({
      session_id: SessionId,
      worktree: Worktree.nullable(),
      /** The session never came to be: the worktree's branch goes as well, unless something was committed on it. */
      unused: z.boolean().optional(),
      /** Somebody's directory, in which it may have been rewound: refs of ours go from the repository there, and nothing else. */
      rewound_in: z.string().optional(),
    }),
    result: z.object({}),
  },
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;
