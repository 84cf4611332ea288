/** What is said of a mark on the line: a sentence for who hears the line, and the few words beside it for who sees it. */
import type { Mark, TurnMark } from "../line/mark.ts";
import { duration, markTime } from "./age.ts";
import { changesWords, counted } from "./counts.ts";
import { endingWords, gradeWords, shortEnding } from "./grade.ts";
import { legible } from "./legible.ts";
import { sentence } from "./sentence.ts";

/** The whole mark in sentences. */
export const markSentence = (mark: Mark): string => {
  switch (mark.kind) {
    case "start":
      return `Started, ${counted(mark.files, "file")} captured.`;
    case "turn":
      return turnSentence(mark);
    case "break": {
      const died = `${endingWords(mark.ending)}${mark.turn === null ? "" : ` in turn ${mark.turn}`}.`;
      return mark.resume === null
        ? died
        : `${died} ${gradeWords(mark.resume).text}`;
    }
    case "tick":
      return gradeWords(mark.resume).text;
    case "rest":
      return mark.resume === null
        ? "The agent was stopped."
        : `The agent was stopped. ${gradeWords(mark.resume).text}`;
    case "rewound":
      return `Rewound to turn ${mark.to}, ${counted(mark.files, "file")}.`;
    case "handed_off":
      return `Handed to ${mark.to}.`;
    case "ended":
      return "The session ended.";
  }
};

const turnSentence = (mark: TurnMark): string =>
  [
    `Turn ${mark.turn}, ${outcomeWords[mark.outcome]}: ${sentence(legible(mark.prompt))}`,
    ...(mark.changes === null ? [] : [`${changesWords(mark.changes)}.`]),
    ...(mark.capture === "failed" ? ["Not captured."] : []),
    ...(mark.behind
      ? ["A rewind left it behind."]
      : [memoryWords[mark.memory]]),
  ].join(" ");

const outcomeWords: Readonly<Record<TurnMark["outcome"], string>> = {
  completed: "completed",
  cancelled: "cancelled",
  refused: "refused",
  failed: "failed",
  running: "running",
  asks: "asks you",
  interrupted: "cut off",
  uncertain: "uncertain",
};

const memoryWords: Readonly<Record<TurnMark["memory"], string>> = {
  own: "The agent remembers it.",
  told: "The agent was told of it.",
  none: "The agent does not know of it.",
};

export interface MetaWords {
  text: string;
  tone: "plain" | "bad" | "warn" | "strong";
}

/** Beside the mark, below its prompt. Counts of files are left to who draws them. */
export const turnMeta = (mark: TurnMark): MetaWords[] => {
  const { outcome, capture } = mark;
  const said: MetaWords[] = [];
  if (outcome === "asks") said.push({ text: "asks you", tone: "warn" });
  if (outcome === "uncertain") said.push({ text: "uncertain", tone: "warn" });
  if (outcome === "running") said.push({ text: "running", tone: "plain" });
  if (outcome === "interrupted") said.push({ text: "cut off", tone: "bad" });
  if (outcome === "failed" || outcome === "refused")
    said.push({ text: outcome, tone: "bad" });
  if (outcome === "cancelled") said.push({ text: outcome, tone: "plain" });
  if (capture === "failed") said.push({ text: "not captured", tone: "bad" });
  return said;
};

/** Beside a mark that is no turn: lines of words. */
export const markMeta = (
  mark: Exclude<Mark, TurnMark>,
  now: number,
): MetaWords[][] => {
  const time = plain(markTime(mark.at, now));
  switch (mark.kind) {
    case "start":
      return [
        [plain(`Started, ${counted(mark.files, "file")} captured`)],
        [time],
      ];
    case "break": {
      const { resume } = mark;
      const back =
        resume === null || resume.grade === null
          ? []
          : [
              [
                { text: resume.grade, tone: "strong" as const },
                plain(
                  [
                    ...(resume.verified ? ["verified"] : []),
                    duration(resume.took_ms),
                  ].join(", "),
                ),
              ],
            ];
      return [[plain(shortEnding(mark.ending)), time], ...back];
    }
    case "tick":
      return [
        [
          plain("Server restarted"),
          plain(`reattached in ${duration(mark.resume.took_ms)}`),
        ],
      ];
    case "rest":
      return [
        [
          plain("Paused"),
          time,
          ...(mark.resume?.grade === undefined || mark.resume.grade === null
            ? []
            : [
                plain(`${mark.resume.grade}, ${duration(mark.resume.took_ms)}`),
              ]),
        ],
      ];
    case "rewound":
      return [
        [plain(`Rewound to turn ${mark.to}, ${counted(mark.files, "file")}`)],
      ];
    case "handed_off":
      return [[plain(`Handed to ${mark.to}`)]];
    case "ended":
      return [[plain("Ended")]];
  }
};

const plain = (text: string): MetaWords => ({ text, tone: "plain" });

/** `cut off` */
export const outcomeWord = ({ outcome }: TurnMark): string =>
  outcomeWords[outcome];
