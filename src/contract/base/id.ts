import * as z from "zod";

/** An id is its noun's prefix and 26 characters of time-ordered base 32. Ids are parsed at the door and never cast inside. */
const idOf = <Prefix extends string>(prefix: Prefix) =>
  z
    .string()
    .regex(patternOf(prefix), `must look like ${prefix}_01h…`)
    .brand<Prefix>();
const patternOf = (prefix: string): RegExp =>
  new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);

export const SessionId = idOf("ses");
export type SessionId = z.infer<typeof SessionId>;
/** Without the schema, for the page. */
export const isSessionId = (text: string): text is SessionId =>
  patternOf("ses").test(text);

export const TaskId = idOf("tsk");
export type TaskId = z.infer<typeof TaskId>;

export const AttemptId = idOf("att");
export type AttemptId = z.infer<typeof AttemptId>;

export const PromptId = idOf("prm");
export type PromptId = z.infer<typeof PromptId>;

export const ExecutionId = idOf("exe");
export type ExecutionId = z.infer<typeof ExecutionId>;

/** An interactive shell in the workspace of a session. */
export const ShellId = idOf("shl");
export type ShellId = z.infer<typeof ShellId>;
export const isShellId = (text: string): text is ShellId =>
  patternOf("shl").test(text);

/** A command that runs in a workspace. */
export const CommandId = idOf("cmd");
export type CommandId = z.infer<typeof CommandId>;

/** A file that lies with agentctl while it goes over the link. */
export const TransferId = idOf("trf");
export type TransferId = z.infer<typeof TransferId>;

/** The id of a home that a server serves: to an agentctl, the owner of what it orders. */
export const OwnerId = idOf("own");
export type OwnerId = z.infer<typeof OwnerId>;

/** The id that an agentctl's home has for good: another one at the same address is another place. */
export const PlaceId = idOf("plc");
export type PlaceId = z.infer<typeof PlaceId>;

/** The executor of a session is named after the session: a session has one at a time. */
export const executorIdOf = (session: SessionId): string =>
  session.replace(/^ses_/, "exr_");

/** A permission request is named after the bytes in which the agent asked: `per_<epoch>_<offset>`. Reading them again gives the same name. */
export const PermissionId = z
  .string()
  .regex(/^per_\d+_\d+$/, "must look like per_1_2048")
  .brand<"per">();
export type PermissionId = z.infer<typeof PermissionId>;

const MESSAGE_ID = /^msg_\d+$/;

/** A message is named after the event that added it: `msg_<seq>`, unique within its session. */
export const MessageId = z
  .string()
  .regex(MESSAGE_ID, "must look like msg_12")
  .brand<"msg">();
export type MessageId = z.infer<typeof MessageId>;

export const permissionId = (epoch: number, offset: number): PermissionId =>
  PermissionId.parse(`per_${epoch}_${offset}`);
export const messageId = (seq: number): MessageId => messageIdIn(`msg_${seq}`);

/** The same as `MessageId.parse`, for those who do without schemas: the page, where it folds a conversation. */
export const messageIdIn = (text: string): MessageId => {
  if (isMessageId(text)) return text;
  throw new RangeError(`"${text}" must look like msg_12`);
};

const isMessageId = (text: string): text is MessageId => MESSAGE_ID.test(text);
