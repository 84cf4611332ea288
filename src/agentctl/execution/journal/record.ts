import * as z from "zod";
import {
  AgentDefinition,
  AgentOverride,
} from "../../../contract/agent/agent.ts";
import { Ending } from "../../../contract/session/ending.ts";
import { GoneProcess } from "../../../contract/session/process.ts";
import {
  ExecutionId,
  OwnerId,
  PermissionId,
  PromptId,
  SessionId,
} from "../../../contract/base/id.ts";
import { Offered } from "../../../contract/agent/offered.ts";
import { OpenFailure } from "../../../contract/agent/opening.ts";
import {
  ByteRange,
  ReportItem,
  StartFailure,
} from "../../../contract/link/report.ts";
import { InForce, Restriction } from "../../../contract/agent/restriction.ts";
import { Resume } from "../../../contract/agent/resume.ts";

/** One line of an execution's journal. `at` is how far stdout had been read: it places the record among the agent's words. */

const Identity = z.object({
  boot_id: z.string(),
  pid: z.number().int(),
  start_time: z.string(),
});

const Purpose = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("open"), what: z.string() }),
  z.object({ kind: z.literal("prompt"), prompt_id: PromptId }),
  z.object({ kind: z.literal("answer"), permission_id: PermissionId }),
  z.object({ kind: z.literal("cancel") }),
  z.object({
    kind: z.literal("change"),
    change: z.number().int(),
    step: z.string(),
  }),
  z.object({ kind: z.literal("reply"), to: z.number().int() }),
  z.object({ kind: z.literal("close") }),
  z.object({ kind: z.literal("ping") }),
]);

const Open = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("new"),
    failed: OpenFailure.exactOptional(),
  }),
  z.object({
    kind: z.literal("native"),
    token: z.string(),
    turns: z.number().int(),
    cut: z.number().int().exactOptional(),
    transcript: z.enum(["intact", "damaged", "missing", "unrecorded"]),
    at: z.string().exactOptional(),
    barred: z.string().exactOptional(),
  }),
]);

const offset = z.number().int().nonnegative();

export const JournalRecord = z.discriminatedUnion("kind", [
  /** Before anything is started. Names of variables only, never their values. */
  z.object({
    kind: z.literal("ordered"),
    execution_id: ExecutionId,
    session_id: SessionId,
    epoch: z.number().int(),
    term: z.number().int(),
    /** Whose it is, where it is not the home's own. */
    owner: OwnerId.optional(),
    definition: AgentDefinition,
    override: AgentOverride.omit({ env: true }).nullable(),
    driver: z.enum(["acp", "stream-json"]),
    cwd: z.string(),
  }),
  /** The wrapper runs. `open` is how the agent is asked for its session. */
  z.object({
    kind: z.literal("launched"),
    wrapper: Identity,
    open: Open,
    /** What was known of the workspace by then. */
    workspace: Resume.shape.workspace.default(null),
    /** The mode that the person's own configuration stood for. */
    own_mode: z
      .object({ asked: z.string(), modes: z.array(z.string()) })
      .nullable()
      .default(null),
    /** The person's environment let it act unasked. */
    allows_all: z.boolean().default(false),
  }),
  /** A prompt was accepted; it is not taken before a message with it is committed. */
  z.object({ kind: z.literal("handed"), prompt_id: PromptId }),
  /** A message's body is about to be written; the message before is finished, or spoilt. */
  z.object({
    kind: z.literal("sent"),
    number: z.number().int(),
    purpose: Purpose,
  }),
  /** The body is written whole. Flushed before the newline that makes the agent take it. */
  z.object({
    kind: z.literal("committed"),
    number: z.number().int(),
    at: offset,
  }),
  /** The newline is written. */
  z.object({ kind: z.literal("written"), number: z.number().int() }),
  z.object({
    kind: z.literal("opened"),
    ready: ReportItem.options[0].extend({ range: ByteRange }),
  }),
  z.object({
    kind: z.literal("turn_ended"),
    prompt_id: PromptId,
    at: offset,
    /** What the agent's own session is resumed by, when that is not the id it opened with. */
    token: z.string().optional(),
  }),
  /** The agent's own session file, as the next native resume must find it. */
  z.object({
    kind: z.literal("transcript"),
    at: offset,
    bytes: z.number().int(),
    sha256: z.string(),
  }),
  z.object({
    kind: z.literal("notice"),
    at: offset,
    code: z.string(),
    text: z.string(),
    processes: z.array(GoneProcess).exactOptional(),
  }),
  z.object({
    kind: z.literal("failed"),
    at: offset,
    failure: StartFailure,
    message: z.string(),
    restriction: Restriction.exactOptional(),
  }),
  /** A change of its settings is over: it is not made again. */
  z.object({
    kind: z.literal("changed"),
    at: offset,
    change: z.number().int(),
    applied: InForce,
    offered: Offered,
  }),
  z.object({
    kind: z.literal("change_refused"),
    at: offset,
    change: z.number().int(),
    restriction: Restriction,
  }),
  /** We were told to stop it, or gave it up: however it ends now, it was stopped. */
  z.object({ kind: z.literal("stopping") }),
  /** Stdout is shorter than what was acknowledged. */
  z.object({ kind: z.literal("output_lost") }),
  z.object({ kind: z.literal("acknowledged"), to: offset }),
  z.object({
    kind: z.literal("ended"),
    at: offset,
    ending: Ending,
    stderr_tail: z.string(),
  }),
]);
export type JournalRecord = z.infer<typeof JournalRecord>;
export type Ordered = Extract<JournalRecord, { kind: "ordered" }>;
/** What a notice says besides its words. */
export type NoticeFacts = Pick<
  Extract<JournalRecord, { kind: "notice" }>,
  "processes"
>;
