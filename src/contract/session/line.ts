/** The line of a session: one mark for everything that its agent's memory and its workspace went through. */
import * as z from "zod";
import { PermissionId, PromptId, SessionId } from "../base/id.ts";
import { Resume, ResumeGrade } from "../agent/resume.ts";
import { Changes } from "./changes.ts";
import { CaptureOutcome } from "./checkpoint.ts";
import { Ending } from "./ending.ts";
import { TurnOutcome } from "./turn-outcome.ts";

/** What the agent knows of a turn: by its own memory, from text that it was given, or nothing. */
export const Remembered = z.enum(["own", "told", "none"]);
export type Remembered = z.infer<typeof Remembered>;

/** How a turn stands. `asks`: it waits for an answer to a permission request. */
export const TurnStanding = z.enum([
  ...TurnOutcome.options,
  "running",
  "asks",
  "interrupted",
  "uncertain",
]);
export type TurnStanding = z.infer<typeof TurnStanding>;

/** Of prompts the beginning is shown, in characters. */
export const MARK_PROMPT = 200;

/** When it happened, as its event says. */
const at = z.iso.datetime();
/** When the resume was done that is told with it; null until one was. */
const resumed_at = z.iso.datetime().nullable();

export const TurnMark = z.object({
  kind: z.literal("turn"),
  /** When it began. */
  at,
  turn: z.number().int(),
  /** The beginning of its prompt. */
  prompt: z.string(),
  outcome: TurnStanding,
  memory: Remembered,
  /** A rewind left it behind. */
  behind: z.boolean(),
  /** Null where that is not known: it was not captured, or by a release that did not count. */
  changes: Changes.nullable(),
  /** What came of capturing what it left; null where that was not tried, or not yet. */
  capture: CaptureOutcome.nullable(),
  /** Sessions that were forked from what it left. No event of this session tells of them: only the server's answer has them. */
  forks: z.array(SessionId),
});
export type TurnMark = z.infer<typeof TurnMark>;

export const Mark = z.discriminatedUnion("kind", [
  /** How many files the session found. */
  z.object({ kind: z.literal("start"), at, files: z.number().int() }),
  TurnMark,
  /** The agent, or the machine under it, died. `turn` was cut off by that; `resume` brought the agent back, once one has. */
  z.object({
    kind: z.literal("break"),
    at,
    ending: Ending,
    turn: z.number().int().nullable(),
    resume: Resume.nullable(),
    resumed_at,
  }),
  /** The agent was stopped on purpose. */
  z.object({
    kind: z.literal("rest"),
    at,
    resume: Resume.nullable(),
    resumed_at,
  }),
  /** The server was away, and the agent never stopped. */
  z.object({ kind: z.literal("tick"), at, resume: Resume }),
  /** How many files the rewind changed. */
  z.object({
    kind: z.literal("rewound"),
    at,
    to: z.number().int(),
    files: z.number().int(),
  }),
  /** Another agent goes on. */
  z.object({ kind: z.literal("handed_off"), at, to: z.string() }),
  z.object({ kind: z.literal("ended"), at }),
]);
export type Mark = z.infer<typeof Mark>;

/** What the agent knows of turns. They are known from the oldest on, so two numbers say most of it. */
export const Knowledge = z.object({
  /** Of turns up to this one it knows nothing. */
  none: z.number().int(),
  /** Of those behind it up to this one it knows what it was told. */
  told: z.number().int(),
  /** Turns behind these that were cut off and that its own session does not hold: it was told of them. */
  reminded: z.array(z.number().int()).readonly(),
});
export type Knowledge = z.infer<typeof Knowledge>;

const MessageCount = z.object({
  turn: z.number().int(),
  /** How many of its messages are told in a history. */
  messages: z.number().int(),
});

/** What the marks do not show, and what is needed to go on with the events behind them. */
export const LineFold = z.object({
  /** The number of the newest turn. */
  last: z.number().int(),
  rewinds: z
    .array(z.object({ at: z.number().int(), to: z.number().int() }))
    .readonly(),
  knows: Knowledge,
  /** What the agent knew before: from this turn on. A rewind may bring that back. */
  knew: z
    .array(z.object({ turn: z.number().int(), knows: Knowledge }))
    .readonly(),
  /** The history is to go before the next prompt. */
  is_history_due: z.boolean(),
  /** Of turns that have no mark: they came from the parent. */
  inherited: z.number().int(),
  messages: z.array(MessageCount).readonly(),
  /** Of the newest turn, as far as it got. */
  said: MessageCount,
  waiting: z.array(z.object({ id: PromptId, prompt: z.string() })).readonly(),
  asking: z.array(PermissionId).readonly(),
  execution: z
    .object({
      /** Somebody or something asked for its end. */
      asked: z.boolean(),
      /** The turn that was cut off with it. */
      cut: z.number().int().nullable(),
    })
    .nullable(),
  /** The agent took prompts before: the next time is a resume. */
  booted: z.boolean(),
  /** The newest break or rest waits for the resume that ends it. */
  is_open: z.boolean(),
  /** The newest mark is a break that nothing has followed: an import may show that it was none. */
  is_fresh: z.boolean(),
});
export type LineFold = z.infer<typeof LineFold>;

/** The marks of a session, the event up to which they tell, and what is needed to fold in the events behind it. */
export const LineAnswer = z.object({
  marks: z.array(Mark),
  seq: z.number().int(),
  /** For clients of the same release that go on from here. Its fields are no promise. */
  fold: LineFold,
});
export type LineAnswer = z.infer<typeof LineAnswer>;

/** Lists show so many of the newest marks. */
export const TAIL_MARKS = 14;

/** A mark as lists show it: its shape alone. */
export const SmallMark = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start") }),
  TurnMark.pick({
    kind: true,
    turn: true,
    outcome: true,
    memory: true,
    behind: true,
    capture: true,
  }).extend({
    /** Whether it changed a file; null where that is not known. */
    changed: z.boolean().nullable(),
  }),
  z.object({ kind: z.literal("break"), grade: ResumeGrade.nullable() }),
  z.object({ kind: z.literal("rest") }),
  z.object({ kind: z.literal("tick") }),
  z.object({ kind: z.literal("rewound"), to: z.number().int() }),
  z.object({ kind: z.literal("handed_off"), to: z.string() }),
  z.object({ kind: z.literal("ended") }),
]);
export type SmallMark = z.infer<typeof SmallMark>;
