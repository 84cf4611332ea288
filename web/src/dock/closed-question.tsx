import { Glyph } from "../kit/glyph.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import type { ClosedQuestion as Closed } from "../store/session/questions.ts";
import { closedWords } from "./closed-words.ts";
import { askWords } from "./permission-words.ts";
import style from "./closed-question.module.css";

/** A question that was here a moment ago: what was asked, and why nobody can answer it any more. */
export const ClosedQuestion = ({
  closed,
  agentName,
  onForget,
}: {
  closed: Closed;
  agentName: string;
  onForget: () => void;
}) => (
  <section className={style.closed} aria-label="Closed question">
    <Glyph state="ended" />
    <p>
      {askWords(closed.permission, agentName)}. <b>{closedWords(closed)}</b>
    </p>
    <IconButton icon="x" label="Close" onClick={onForget} />
  </section>
);
