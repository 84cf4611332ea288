import { isBuiltIn } from "../../contract/agent/agent.ts";
import { budgetWords } from "../../contract/base/budget.ts";
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import type { Session } from "../../contract/session/session.ts";
import { contextWords, usageWords } from "../../contract/base/usage.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { World } from "../terminal/world.ts";
import { ago } from "../terminal/age.ts";
import { checkpointWords } from "./files/checkpoint.ts";
import { correctCommands } from "./correct.ts";
import { decidable, goesOn } from "./cut-off.ts";
import { definitionFields } from "./definition.ts";
import { offeredFields } from "./settings.ts";
import { lastWords } from "./last-words.ts";
import { permitCommands, resolveCommands } from "./next-command.ts";
import { permissionText } from "./permission.ts";
import { quotaWords } from "./quota.ts";
import { resumeWords } from "./resume.ts";
import { size } from "../terminal/size.ts";
import { stateColour } from "./state-colour.ts";
import { fields } from "../terminal/table.ts";
import { cut, cutStart } from "../terminal/width.ts";

type Field = readonly [name: string, value: string];

/** What of it can be gone back to. */
export interface StoredCheckpoints {
  checkpoints: readonly Checkpoint[];
  /** What is in them, uncompressed; null when that is not known. */
  bytes: number | null;
}

/** Everything about one session that a person may want, and what to type next. */
export const sessionCard = (
  session: Session,
  stored: StoredCheckpoints,
  { out, program }: Pick<World, "out" | "program">,
  now: Date,
): string => {
  const { palette, columns } = out;
  const room = (columns ?? 100) - 16;
  const short = (text: string): string => cut(oneLine(text), room);
  const state = stateColour(session.state, palette)(session.state);
  const optional = (name: string, value: string | null): Field[] =>
    value === null ? [] : [[name, short(value)]];
  const words = lastWords(session);
  const pairs: Field[] = [
    ["state", `${state}, the agent is ${agentWords(session)}`],
    // Whole: its end says what to do.
    ...(session.error_message === null
      ? []
      : [["error", oneLine(session.error_message)] as const]),
    ...(session.restriction === null
      ? []
      : [
          [
            "go on with",
            correctCommands(program, session.id, session.restriction),
          ] as const,
        ]),
    ...(session.error_code === "agent_not_installed" && isBuiltIn(session.agent)
      ? [["how to install", `${program} agents`] as const]
      : []),
    ["agent", `${session.agent} on ${oneLine(session.executor)}`],
    ...definitionFields(session, short),
    ...offeredFields(session.offered).map(([name, value]): Field => [
      name,
      short(value),
    ]),
    ["on quota", short(session.on_quota)],
    // Whole: its end says until when.
    ...wholeField("quota", quotaWords(session, now)),
    ...(session.quota.prompts_wait_until === null
      ? []
      : [
          [
            "try at once",
            `${program} session resume ${session.id} --now`,
          ] as const,
        ]),
    ["directory", oneLine(session.cwd)],
    ...optional("worktree", session.worktree_branch),
    ...optional("task", session.task_id),
    ...optional("forked from", session.parent && originOf(session.parent)),
    ...optional("called by", session.called_by),
    [
      "times",
      `started ${ago(session.created_at, now)}, active ${ago(session.last_active_at, now)}`,
    ],
    ["turns", turnsOf(session)],
    ...optional("deleted", session.deleted_at && ago(session.deleted_at, now)),
    ...storedFields(stored, now),
    ...(session.usage === null
      ? []
      : [["tokens", usageWords(session.usage)] as const]),
    ...(session.context === null
      ? []
      : [["context", contextWords(session.context)] as const]),
    ...(session.budget === null
      ? []
      : [["budget", budgetField(session, session.budget, program)] as const]),
    ...(session.resume === null
      ? []
      : [["resume", resumeWords(session.resume)] as const]),
    ...(words === null ? [] : [["last words", cutStart(words, room)] as const]),
    ...session.queued_prompts.map((prompt): Field => [
      "queued",
      `${prompt.id}  ${short(prompt.text)}`,
    ]),
    ...decidable(session).map((prompt): Field =>
      goesOn(prompt)
        ? [prompt.state, `${prompt.id} goes on by itself`]
        : [
            "decide",
            `${prompt.id} is ${prompt.state}\n${resolveCommands(program, session.id, prompt.id)}`,
          ],
    ),
    ...session.pending_permissions.map((each): Field => [
      "permission",
      `${permissionText(each, palette.dim)}\n${permitCommands(program, session.id, each)}`,
    ]),
  ];
  const name =
    session.name === null ? "" : `  ${palette.bold(oneLine(session.name))}`;
  return `${session.id}${name}\n${fields(pairs, palette.dim)}`;
};

const wholeField = (name: string, value: string | null): Field[] =>
  value === null ? [] : [[name, oneLine(value)]];

const budgetField = (
  { id }: Session,
  { limits, spent, reached }: NonNullable<Session["budget"]>,
  program: string,
): string => {
  const words = `spent ${budgetWords(limits, spent)}`;
  return reached === null
    ? words
    : `needs you: ${reached} used up, ${words}\n${program} session set ${id} --budget ${reached}=N`;
};

const agentWords = ({ is_agent_running, state }: Session): string => {
  if (is_agent_running) return "running";
  if (state === "STARTING")
    return "being started; one that is not installed is downloaded first, which may take minutes";
  return state === "WAITING_FOR_INPUT"
    ? "not running; the next prompt starts it"
    : "not running";
};

const turnsOf = ({ turn_count, turns_left_behind }: Session): string =>
  turns_left_behind === 0
    ? String(turn_count)
    : `${turn_count - turns_left_behind}, and ${turns_left_behind} left behind by a rewind`;

const originOf = ({
  session_id,
  turn,
}: NonNullable<Session["parent"]>): string =>
  `${session_id} after turn ${turn}`;

const storedFields = (
  { checkpoints, bytes }: StoredCheckpoints,
  now: Date,
): Field[] => {
  const words = checkpointWords(checkpoints, now);
  return [
    ...(words === null ? [] : [["checkpoint", words] as const]),
    ...(bytes === null
      ? []
      : [["captured", `${size(bytes)} before compression`] as const]),
  ];
};
