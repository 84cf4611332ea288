/** What agents are told of a task. The title and the description are said once in a session, whatever happens. */
import { isTold, versionOf, type Attempt, type State } from "./state.ts";

/** The text of one prompt of an attempt. It is the same whenever it is asked for. */
export const promptText = (
  state: State,
  attempt: Attempt,
  index: number,
): string => {
  const upTo = attempt.prompts[index]?.context_version ?? 1;
  const told = toldBefore(state, attempt, index);
  if (told === 0)
    return paragraphs(
      wholeTask(state, upTo),
      attempt.mode === "fresh" && earlierAttempts(state, attempt),
    );
  const added = contextTexts(state, told, upTo);
  if (attempt.mode === "update" || index > 0)
    return paragraphs(extended(upTo), ...added);
  return paragraphs(
    goOnWords(state, attempt),
    ...(added.length === 0 ? [] : [extended(upTo), ...added]),
  );
};

const extended = (version: number): string =>
  `The requirements of this task were extended (version ${version}). This is new, not a retry; what you have done stands unless this says otherwise.`;

const LOOK =
  "Look at what is already done and continue from there; do not repeat finished work.";

/** Why the agent is asked to go on with what it was told before. */
const goOnWords = (state: State, attempt: Attempt): string => {
  const before = state.attempts[attempt.number - 2];
  const doubtful = before === undefined ? null : uncertainText(state, before);
  if (doubtful !== null) return paragraphs(UNCERTAIN, doubtful);
  const end = before?.progress;
  if (end?.kind !== "ended" || end.outcome === "succeeded")
    return `Your work was reviewed and is not finished. ${LOOK}`;
  const why = end.reason === null ? "" : ` (${asClause(end.reason.text)})`;
  return `Your previous attempt at this task was interrupted${why}. ${LOOK}`;
};

const UNCERTAIN = `Your previous attempt at this task was interrupted, and it is not known whether you received what follows. ${LOOK} What you may not have received:`;

/** What the agent was sent last, where nobody knows whether it took it. */
const uncertainText = (state: State, before: Attempt): string | null => {
  const index = before.prompts.findLastIndex(
    ({ over }) => over?.outcome === "uncertain",
  );
  return index === -1 ? null : promptText(state, before, index);
};

/** Up to which version the session had been told before this prompt; 0 when it is the first it hears of the task. */
const toldBefore = (
  { attempts }: State,
  attempt: Attempt,
  index: number,
): number => {
  const earlier =
    attempt.session_id === null
      ? []
      : attempts
          .filter(({ session_id }) => session_id === attempt.session_id)
          .filter(({ number }) => number < attempt.number)
          .flatMap(({ prompts }) => prompts)
          .filter(isTold);
  return versionOf([...earlier, ...attempt.prompts.slice(0, index)]);
};

const wholeTask = (state: State, upTo: number): string =>
  paragraphs(
    `# ${state.title}`,
    state.description,
    ...contextTexts(state, 1, upTo),
  );

/** What was added behind one version, up to another. */
const contextTexts = (
  { contexts }: State,
  behind: number,
  upTo: number,
): string[] =>
  contexts
    .filter(({ version }) => version > behind && version <= upTo)
    .map(({ name, version, text }, _, all) =>
      name === undefined && all.length === 1
        ? text
        : paragraphs(`## ${name ?? `Version ${version}`}`, text),
    );

const earlierAttempts = ({ attempts }: State, { number }: Attempt): string => {
  const before = attempts.filter((each) => each.number < number);
  const times = before.length === 1 ? "once" : `${before.length} times`;
  return [
    `This task was tried ${times} before, by agents whose conversation you do not have:`,
    ...before.map(attemptLine),
    "Check what they left before you build on it.",
  ].join("\n");
};

const attemptLine = (attempt: Attempt): string => {
  const { number, agent, clock, progress } = attempt;
  const head = `– ${number} (${agent}, ${duration(clock.worked_ms)})`;
  if (progress.kind !== "ended") return `${head}: not over.`;
  const { outcome, files_changed, files_left_out, last_words } = progress;
  return [
    `${head}: ${outcome.replace("_", " ")}.`,
    changedWords(files_changed, files_left_out),
    last_words === null ? "" : `Last words: ${shortened(last_words)}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
};

const duration = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;

const MAX_PATHS = 20;
const MAX_LAST_WORDS = 500;

const changedWords = (
  files: readonly { path: string }[] | null,
  leftOut: number,
): string => {
  if (files === null) return "";
  if (files.length === 0) return "Changed nothing.";
  const named = files.slice(0, MAX_PATHS).map(({ path }) => oneLine(path));
  const more = files.length - named.length + leftOut;
  return `Changed: ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}.`;
};

/** The end of it: that is where an agent says how it stands. */
const shortened = (text: string): string => {
  const line = oneLine(text);
  if (line.length <= MAX_LAST_WORDS) return line;
  const end = line.slice(-MAX_LAST_WORDS);
  // From the next word on: nothing is cut in two.
  return `… ${end.slice(end.indexOf(" ") + 1)}`;
};

/** A sentence as part of another. */
const asClause = (sentence: string): string =>
  oneLine(sentence).replace(/\.$/u, "").replace(/^The /u, "the ");

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();

const paragraphs = (...parts: (string | false)[]): string =>
  parts.filter((part) => part !== false && part.trim() !== "").join("\n\n");
