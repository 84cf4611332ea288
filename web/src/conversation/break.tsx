import type { Mark } from "../line/mark.ts";
import { Chip } from "../kit/chip.tsx";
import { latePart } from "../late/late.tsx";
import { useNow } from "../kit/now.tsx";
import type { ToldText } from "../store/open-session.ts";
import { pastTime } from "../words/age.ts";
import { breakWords } from "./break-words.ts";
import style from "./break.module.css";

// Loaded where an agent was told something.
const Told = latePart({
  name: "What it was told",
  load: async () => (await import("./told.tsx")).Told,
});

const tones = {
  reattached: "accent",
  native: "accent",
  injected: "amber",
  fresh: "amber",
} as const;

/** A death, a pause, a restart: what happened, and what the agent still knows. */
export const Break = ({
  mark,
  told = null,
}: {
  mark: Mark;
  /** The text that the agent was given with the next prompt. */
  told?: ToldText | null;
}) => {
  const now = useNow();
  const words = breakWords(mark);
  if (words === null) return null;
  const { look, title, grade } = words;
  return (
    <div className={style.break} data-look={look}>
      {look === "broken" && (
        <svg viewBox="0 0 34 34" width="34" height="34" aria-hidden="true">
          <path d="M11 26 17 8M17.5 26l6-18" />
        </svg>
      )}
      <div>
        <div className={style.title}>
          {title}{" "}
          <time className={style.when} dateTime={mark.at}>
            {pastTime(mark.at, now)}
          </time>
        </div>
        {grade !== null && (
          <div className={style.grade}>
            {grade.grade !== null && (
              <Chip tone={tones[grade.grade]}>{grade.grade}</Chip>
            )}
            <span>{grade.text}</span>
          </div>
        )}
        {told !== null && <Told told={told} />}
      </div>
    </div>
  );
};
