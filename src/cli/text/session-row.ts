import type { Session } from "../../contract/session/session.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { Sink } from "../terminal/world.ts";
import { age } from "../terminal/age.ts";
import { awaitingDecision } from "./cut-off.ts";
import { lastWords } from "./last-words.ts";
import type { Palette } from "../terminal/palette.ts";
import { stateColour } from "./state-colour.ts";
import { type Cell, cutCell, roomLeft, table } from "../terminal/table.ts";

/** Narrower than this, the last column says nothing. */
const LEAST_ROOM = 16;

/** The list of sessions; in a narrow terminal each takes two lines, so that its id stays whole. */
export const sessionTable = (
  sessions: readonly Session[],
  { palette, columns }: Sink,
  now: Date,
): string => {
  const heading = ["ID", "STATE", "AGENT", "ACTIVE", "ABOUT"].map((text) => ({
    text,
    paint: palette.dim,
  }));
  const rows = [heading, ...sessions.map((each) => row(each, palette, now))];
  return columns !== null && roomLeft(rows, columns) < LEAST_ROOM
    ? sessions.map((each) => twoLines(each, palette, columns, now)).join("")
    : table(rows, columns);
};

const row = (session: Session, palette: Palette, now: Date): Cell[] => [
  { text: session.id },
  { text: session.state, paint: stateColour(session.state, palette) },
  { text: agentOf(session) },
  { text: age(session.last_active_at, now) },
  lastOf(session),
];

const twoLines = (
  session: Session,
  palette: Palette,
  columns: number,
  now: Date,
): string => {
  const state = stateColour(session.state, palette)(session.state);
  const start = `  ${agentOf(session)}, ${age(session.last_active_at, now)}  `;
  const last = cutCell(lastOf(session), columns - start.length);
  return `${session.id}  ${state}\n${`${palette.dim(start)}${last}`.trimEnd()}\n`;
};

/** An agent that took a turn with it has died. Without one it may as well have been stopped, and the next prompt starts it. */
const agentOf = (session: Session): string => {
  const { agent, state, is_agent_running } = session;
  const hasDied =
    state === "WAITING_FOR_INPUT" &&
    !is_agent_running &&
    awaitingDecision(session).length > 0;
  return hasDied ? `${agent} (gone)` : agent;
};

/** That it is damaged comes first, then what waits for the user; then its name if it has one, else what went wrong or was said last. */
const lastOf = (session: Session): Cell => {
  if (session.damaged_from !== null)
    return { text: withName("damaged", session) };
  const [question] = session.pending_permissions;
  if (question !== undefined)
    return { text: `asks: ${oneLine(question.title)}` };
  const undecided = awaitingDecision(session);
  if (undecided.length > 0)
    return { text: withName(decisionWords(undecided), session) };
  if (session.budget?.reached != null)
    return {
      text: withName(`needs you, ${session.budget.reached} used up`, session),
    };
  if (session.name === null && session.error_message !== null)
    return { text: oneLine(session.error_message) };
  return { text: nameOf(session), keepEnd: session.name === null };
};

/** As the page says it: a turn that nobody continues was cut off. */
const decisionWords = (
  undecided: ReturnType<typeof awaitingDecision>,
): string =>
  [
    ...(undecided.at(-1)?.state === "interrupted" ? ["cut off"] : []),
    `${undecided.length} to decide`,
  ].join(", ");

const withName = (words: string, session: Session): string => {
  const name = nameOf(session);
  return name === "" ? words : `${words}: ${name}`;
};

const nameOf = (session: Session): string =>
  session.name === null ? (lastWords(session) ?? "") : oneLine(session.name);
