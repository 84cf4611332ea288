import * as z from "zod";
import {
  AgentDefinition,
  AgentId,
  AgentOverride,
  AgentView,
} from "../agent/agent.ts";
import { AgentSettings } from "../agent/agent-settings.ts";
import { ContentBlock } from "../base/content.ts";
import {
  ExecutionId,
  OwnerId,
  PermissionId,
  PlaceId,
  PromptId,
  SessionId,
  TransferId,
} from "../base/id.ts";
import { Offered } from "../agent/offered.ts";
import { OpenFailure } from "../agent/opening.ts";
import { PathFrom, workspaceMethods, Worktree } from "./link-workspace.ts";
import { Rebuild } from "../session/rebuild.ts";
import { gitMethods } from "./link-git.ts";
import { fileMethods } from "./link-files.ts";
import { runMethods } from "./link-run.ts";
import { shellOrders } from "./link-shell.ts";
import { LinkRefusal } from "./link-refusal.ts";
import { ReportItem } from "./report.ts";

/**
 * The link between server and agentctl: JSON messages over one WebSocket (`/link`), on a unix socket or over TLS.
 * The server asks (`{id, method, params}`), agentctl answers (`{id, result}` or `{id, error}`) and reports
 * (`{report}`); the server acknowledges reports with the method `acknowledge`.
 * `hello` comes first and carries the server's owner and term; agentctl makes the owner's highest term durable before it
 * answers, closes that owner's links of lower terms and refuses them from then on.
 */
export const LINK_PROTOCOL = { min: 1, max: 1 } as const;

/** What the agent's own session file held when it was last seen: a native resume is verified against it. */
export const TranscriptMark = z.object({
  bytes: z.number().int(),
  sha256: z.string(),
});
export type TranscriptMark = z.infer<typeof TranscriptMark>;

const execution = { execution_id: ExecutionId, epoch: z.number().int() };

export const StartOrder = z.object({
  ...execution,
  session_id: SessionId,
  definition: AgentDefinition,
  override: AgentOverride.optional(),
  cwd: z.string(),
  /** The whole environment of the agent, values included; never logged, and never written to disk, besides a caller's PATH. */
  env: z.record(z.string(), z.string()),
  path_from: PathFrom.exactOptional(),
  open: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("new"),
      /** There is a session of the agent's own, and this is why it is not asked for: `ready` says so. */
      failed: OpenFailure.optional(),
    }),
    z.object({
      kind: z.literal("native"),
      token: z.string(),
      transcript: TranscriptMark.nullable(),
      /** User prompts the agent should remember: a replay with fewer is not plausible. */
      turns: z.number().int(),
      /** Those of them that were cut off: the agent may have died before it wrote them down. An older server does not say. */
      cut: z.number().int().optional(),
    }),
  ]),
  /** What must be there first. An older server does not say. */
  rebuild: Rebuild.optional(),
  /** The workspace is a worktree: validated, and made again when it is missing. */
  worktree: Worktree.nullable().optional(),
  /** Executions of this session that must be gone before this one starts. */
  predecessors: z.array(ExecutionId),
  deadline_ms: z.number().int(),
});
export type StartOrder = z.infer<typeof StartOrder>;

export const linkMethods = {
  hello: {
    params: z.object({
      protocol: z.object({ min: z.number(), max: z.number() }),
      build: z.string(),
      /** Of the owner: terms of two owners say nothing about each other. */
      term: z.number().int(),
      /** Which home the server serves. An older server does not say: it serves the one that agentctl lives in. */
      owner: OwnerId.optional(),
    }),
    result: z.object({
      protocol: z.number(),
      build: z.string(),
      pid: z.number().int(),
      /** Opens the streams beside this link (`stream.ts`). An older agentctl has none. */
      data: z.string().exactOptional(),
      /** An older agentctl does not say. */
      place_id: PlaceId.optional(),
      /** `own`: agents get agentctl's own environment, cleaned, below that of their order. */
      environment: z.literal("own").exactOptional(),
      /** Where directories of sessions are made (`make_workspace`). */
      workspaces: z.string().exactOptional(),
      /** Of its machine, as Node names it. */
      arch: z.string().exactOptional(),
      /** What time it is there. */
      clock: z.iso.datetime().exactOptional(),
    }),
  },
  /** Starts an execution, or answers from the journal when it was started before. Everything after comes as reports. */
  start: { params: StartOrder, result: z.object({}) },
  /** Which executions are here, alive or ended and not yet forgotten. */
  executions: {
    params: z.object({}),
    result: z.object({
      executions: z.array(
        z.object({ ...execution, session_id: SessionId, alive: z.boolean() }),
      ),
    }),
  },
  /** Reports from this offset on come over this link. Facts without bytes are reported again. */
  attach: {
    params: z.object({ ...execution, from: z.number().int() }),
    result: z.object({}),
  },
  /** Hands over a prompt. A second delivery of the same id is answered from the journal. */
  prompt: {
    params: z.object({
      ...execution,
      prompt_id: PromptId,
      content: z.array(ContentBlock),
    }),
    result: z.object({}),
  },
  cancel: { params: z.object(execution), result: z.object({}) },
  answer: {
    params: z.object({
      ...execution,
      permission_id: PermissionId,
      /** null: the request is cancelled. */
      option_id: z.string().nullable(),
    }),
    result: z.object({}),
  },
  /**
   * Changes settings of an agent that takes prompts. What came of it is reported, once for each number. An older agentctl
   * does not know this order.
   */
  change: {
    params: z.object({
      ...execution,
      /** Of the session's changes. */
      change: z.number().int(),
      /** What is changed. */
      asked: AgentSettings,
      /** With all of it changed: what else it asks for must hold as well. */
      definition: AgentDefinition,
      /** What the agent offers, as the journal has it. */
      offered: Offered,
    }),
    result: z.object({}),
  },
  /** Stops the agent: gracefully, then by force, then whatever it left behind. `ended` is reported when all is gone. */
  stop: {
    params: z.object({ ...execution, grace_ms: z.number().int() }),
    result: z.object({}),
  },
  /** Everything up to `to`, and the facts with these numbers, is durable at the server. */
  acknowledge: {
    params: z.object({
      ...execution,
      to: z.number().int(),
      report: z.number().int(),
    }),
    result: z.object({}),
  },
  /** The server has recorded the end: agentctl may remove its files of this execution. */
  forget: { params: z.object(execution), result: z.object({}) },
  /** Processes that bear the mark of an execution which is not alive. */
  survivors: {
    params: z.object({ execution_id: ExecutionId }),
    result: z.object({ pids: z.array(z.number().int()) }),
  },
  /** Ends them, and answers when they are gone. */
  clear: {
    params: z.object({ execution_id: ExecutionId }),
    result: z.object({}),
  },
  /** Makes room for an agentctl of another build: it finishes the message at hand and goes; agents go on. */
  retire: { params: z.object({}), result: z.object({}) },
  /** What is known of the agents. Of one alone, and in a project that may bring it, as quickly as can be told. */
  agents: {
    params: z.object({
      overrides: z.record(AgentId, AgentOverride),
      only: z.object({ id: AgentId, cwd: z.string().optional() }).optional(),
      /** A project that may bring some of them. An older agentctl does not look there. */
      cwd: z.string().optional(),
      /** The environment that an agent would get: what is looked for is looked for with it. Never logged, never written to disk. */
      env: z.record(z.string(), z.string()).optional(),
    }),
    result: z.object({ agents: z.array(AgentView) }),
  },
  /** Removes files that went over this link. */
  release: {
    params: z.object({ transfers: z.array(TransferId) }),
    result: z.object({}),
  },
  workspace: {
    params: z.object({ path: z.string() }),
    result: z.object({
      kind: z.enum(["directory", "other", "missing"]),
      /** Its name without links. */
      real: z.string().optional(),
    }),
  },
  /** What this agentctl can do for a session, without starting anything. */
  probe: {
    params: z.object({
      agent: AgentId,
      override: AgentOverride.optional(),
      cwd: z.string(),
    }),
    result: z.object({
      supports_session_resume: z.boolean(),
      supports_workspace_only: z.boolean(),
    }),
  },
  ...workspaceMethods,
  ...fileMethods,
  ...runMethods,
  ...shellOrders,
  ...gitMethods,
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>;

export type LinkMethod = keyof typeof linkMethods;
export type LinkParams<M extends LinkMethod> = z.infer<
  (typeof linkMethods)[M]["params"]
>;
export type LinkResult<M extends LinkMethod> = z.infer<
  (typeof linkMethods)[M]["result"]
>;

export const LinkRequest = z.object({
  id: z.number().int(),
  method: z.string(),
  params: z.unknown(),
});
export type LinkRequest = z.infer<typeof LinkRequest>;

export const LinkAnswer = z.union([
  z.object({ id: z.number().int(), result: z.unknown() }),
  z.object({
    id: z.number().int().nullable(),
    error: z.object({
      /** A newer agentctl may have reasons we do not know. */
      code: LinkRefusal.catch("internal"),
      message: z.string(),
    }),
  }),
]);
export type LinkAnswer = z.infer<typeof LinkAnswer>;

/** `number` counts the reports of one link and execution; at most one is unacknowledged at a time. */
export const LinkReport = z.object({
  report: z.object({
    ...execution,
    number: z.number().int(),
    items: z.array(ReportItem),
  }),
});
export type LinkReport = z.infer<typeof LinkReport>;

/** In the home of a server: the id that it has for good as an owner. */
export const OWNER_FILE = "owner-id";

/** In the directory of agentctl: what it holds locked as long as it lives. */
export const AGENTCTL_LOCK = "lock.db";

/** In the directory of an agentctl that listens on the network: the id of the only home whose servers it serves. */
export const CLAIM_FILE = "owner";

/** In the directory of agentctl: the secret that opens the link. */
export const LINK_TOKEN_FILE = "token";

/** In the directory of agentctl: what it wrote about itself. */
export const AGENTCTL_FILE = "agentctl.json";

/** Which process is the agentctl of a home. It stands there before anybody is listened to. */
export const AgentctlFile = z.object({
  boot_id: z.string(),
  pid: z.number().int().positive(),
  start_time: z.string(),
  socket: z.string(),
  build: z.string(),
});
export type AgentctlFile = z.infer<typeof AgentctlFile>;

/**
 * No home gets to this term: each start of a server takes one. The numbers of checkpoints count on it, because they are
 * made of a term and 32 bits and must stay safe integers.
 */
export const TERM_LIMIT = 2 ** 21 - 1;

/** What the file `term` says: the highest term that the agentctl of a home has seen, 0 where it holds none. It may be at or above the limit. */
export const termIn = (text: string | null): number => {
  const term = Number.parseInt(text ?? "", 10);
  return term > 0 ? term : 0;
};
