import { budgetWords } from "../../../contract/base/budget.ts";
import { minutesWords } from "../../../kit/time/minutes-words.ts";
import type { Attempt, Task } from "../../../contract/task/task.ts";
import { ago, count } from "../../terminal/age.ts";
import { oneLine, sanitize } from "../../terminal/sanitize.ts";
import { fields } from "../../terminal/table.ts";
import { cut } from "../../terminal/width.ts";
import type { World } from "../../terminal/world.ts";
import { attemptTable } from "./attempt-table.ts";
import type { Session } from "../../../contract/session/session.ts";
import type { Palette } from "../../terminal/palette.ts";
import { definitionFields } from "../definition.ts";
import { permitCommands } from "../next-command.ts";
import { permissionText } from "../permission.ts";
import { nextStep } from "./next-step.ts";
import { taskColour } from "./task-colour.ts";

type Field = readonly [name: string, value: string];

interface CardSessions {
  /** The one of the newest attempt. */
  session: Session | null;
  /** Those whose agents wait for an answer. */
  asking: readonly Session[];
}

/** Everything about one task that a person may want, and what to do next. */
export const taskCard = (
  task: Task,
  attempts: readonly Attempt[],
  { session, asking }: CardSessions,
  { out, program }: Pick<World, "out" | "program">,
  now: Date,
): string => {
  const { palette, columns } = out;
  const others = task.session_ids.filter((id) =>
    attempts.every(({ session_id }) => session_id !== id),
  );
  const pairs: Field[] = [
    ["state", taskColour(task.state, palette)(task.state)],
    ...(task.damaged === true
      ? [["damaged", "what is shown is not what was written"] as const]
      : []),
    ["agent", task.agent ?? "demo unless another is named"],
    ...placeOf(task, session),
    ...runsOn(task),
    ...settingsOf(task, (columns ?? 100) - 16),
    ...limitsOf(task),
    ["times", timesOf(task, now)],
    ...(task.description === ""
      ? []
      : [["description", sanitize(task.description).trimEnd()] as const]),
    ["context", contextWords(task, (columns ?? 100) - 16)],
    [
      "attempts",
      attempts.length === 0
        ? "none yet"
        : attemptTable(attempts, palette, null, now).trimEnd(),
    ],
    ...(others.length === 0 ? [] : [["sessions", others.join("\n")] as const]),
    ...asking.flatMap((session) => questionsOf(session, palette, program)),
    [
      "next",
      asking.length === 0
        ? nextStep(task, program, now)
        : "Answer the permission request with one of these commands.",
    ],
  ];
  const name =
    task.name === undefined ? "" : `  ${palette.dim(oneLine(task.name))}`;
  return `${task.id}${name}  ${palette.bold(oneLine(task.title))}\n${fields(pairs, palette.dim)}`;
};

/** What is asked, and the commands that answer it. */
const questionsOf = (
  { id, pending_permissions }: Session,
  { dim }: Palette,
  program: string,
): Field[] =>
  pending_permissions.map((each) => [
    "permission",
    `${permissionText(each, dim)}\n${permitCommands(program, id, each)}`,
  ]);

const placeOf = ({ cwd, worktree }: Task, session: Session | null): Field[] => {
  if (worktree !== undefined) {
    const path = session?.worktree_path ?? null;
    const at = path === null ? "" : `${oneLine(path)}, `;
    return [["worktree", `${at}of ${oneLine(worktree)}`]];
  }
  return cwd === undefined ? [] : [["directory", oneLine(cwd)]];
};

/** Where it was said that its sessions run. */
const runsOn = ({ session }: Task): Field[] => {
  const { executor, host, image } = session ?? {};
  const named = [executor, host, image].filter((each) => each !== undefined);
  return named.length === 0 ? [] : [["runs on", oneLine(named.join(" "))]];
};

/** How its sessions are made, besides the agent and the place. */
const settingsOf = (
  { agent = "demo", session }: Task,
  room: number,
): readonly Field[] =>
  session === undefined
    ? []
    : definitionFields(
        {
          definition: {
            ...session,
            agent,
            home: session.home ?? "user",
            env_names: [],
          },
          applied: null,
          at_next_start: [],
        },
        (text) => cut(oneLine(text), room),
      );

const limitsOf = ({ timeout_minutes, retry, budget }: Task): Field[] => [
  ...(budget === undefined
    ? []
    : [
        [
          "budget",
          `spent ${budgetWords(budget.limits, budget.spent)}`,
        ] as const,
      ]),
  ...(timeout_minutes === undefined
    ? []
    : [["time", `${minutesWords(timeout_minutes)} for an attempt`] as const]),
  ...(retry.limit === 0
    ? []
    : [["retries", `by itself, ${retry.limit} at most`] as const]),
];

const timesOf = ({ created_at, last_updated }: Task, now: Date): string =>
  `created ${ago(created_at, now)}, updated ${ago(last_updated, now)}`;

/** Version 1 is the description; each text that was added is one more. */
const contextWords = (
  { context_version, contexts }: Task,
  room: number,
): string =>
  [
    `version ${context_version}${contexts.length === 0 ? "" : `, ${count(contexts.length, "addition")}`}`,
    ...contexts.map(({ version, name, text }) =>
      cut(
        `${version}  ${name === undefined ? "" : `${oneLine(name)}: `}${oneLine(text)}`,
        room,
      ),
    ),
  ].join("\n");
