import type { Session } from "../../contract/session.ts";
import { oneLine } from "../sanitize.ts";
import type { Sink } from "../world.ts";
import { ago } from "./age.ts";
import { permitCommands, resolveCommand } from "./next-command.ts";
import { resumeWords } from "./resume.ts";
import { stateColour } from "./session-row.ts";
import { fields } from "./table.ts";
import { cut } from "./width.ts";

type Field = readonly [name: string, value: string];

/** Everything about one session that a person may want, and what to type next. */
export const sessionCard = (
  session: Session,
  { palette, columns }: Sink,
  now: Date,
): string => {
  const short = (text: string): string =>
    cut(oneLine(text), (columns ?? 100) - 16);
  const state = stateColour(session.state, palette)(session.state);
  const optional = (name: string, value: string | null): Field[] =>
    value === null ? [] : [[name, short(value)]];
  const pairs: Field[] = [
    [
      "state",
      `${state}, the agent is ${session.is_agent_running ? "running" : "not running"}`,
    ],
    ...optional("error", session.error_message),
    ["agent", `${session.agent} on ${oneLine(session.executor)}`],
    ["directory", oneLine(session.cwd)],
    ...optional("worktree", session.worktree_branch),
    ...optional("task", session.task_id),
    ...optional("forked from", session.parent?.session_id ?? null),
    [
      "times",
      `started ${ago(session.created_at, now)}, active ${ago(session.last_active_at, now)}`,
    ],
    ["turns", String(session.turn_count)],
    ...(session.usage === null
      ? []
      : [["tokens", String(session.usage.total_tokens)] as const]),
    ...(session.resume === null
      ? []
      : [["resume", resumeWords(session.resume)] as const]),
    ...optional("last words", session.last_words),
    ...session.queued_prompts.map((prompt): Field => [
      "queued",
      `${prompt.id}  ${short(prompt.text)}`,
    ]),
    ...session.unresolved_prompts.map((prompt): Field => [
      "decide",
      `${prompt.id} is ${prompt.state}\n${palette.bold(resolveCommand(session.id, prompt.id))}`,
    ]),
    ...session.pending_permissions.map((each): Field => [
      "permission",
      `${short(each.title)}\n${permitCommands(session.id, each).trimEnd()}`,
    ]),
  ];
  const name =
    session.name === null ? "" : `  ${palette.bold(oneLine(session.name))}`;
  return `${session.id}${name}\n${fields(pairs, palette.dim)}`;
};
