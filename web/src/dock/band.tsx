import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Glyph, type GlyphState } from "../kit/glyph.tsx";
import type {
  Standing,
  StandingAction,
  StandingKind,
} from "../words/standing.ts";
import { refusalWords } from "../words/refusal-words.ts";
import style from "./band.module.css";

const glyphs: Readonly<Record<StandingKind, GlyphState>> = {
  away: "resting",
  trash: "ended",
  ended: "ended",
  disk_full: "failed",
  trouble: "resting",
  starting: "starting",
  not_resumable: "needs_you",
  error: "failed",
  quota: "paused",
  uncertain: "needs_you",
  interrupted: "interrupted",
  budget: "paused",
  blocked: "needs_you",
  paused: "paused",
  needs_resume: "resting",
  ready: "resting",
};

/** Where the session stands, and what can be done about it. Nothing where it is ready. */
export const Band = ({
  standing,
  onAction,
}: {
  standing: Standing;
  onAction: (action: StandingAction) => Promise<void>;
}) => {
  const [acting, setActing] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (standing.title === null && standing.text === null) return null;
  const act = (label: string, action: StandingAction) => {
    setActing(label);
    setRefusal(null);
    onAction(action)
      .catch((error: unknown) => setRefusal(refusalWords(error)))
      .finally(() => setActing(null));
  };
  return (
    <section
      className={style.band}
      data-tone={standing.tone}
      aria-label="Where the session stands"
    >
      <Glyph state={glyphs[standing.kind]} />
      <div className={style.words}>
        {standing.title !== null && <b>{standing.title}</b>}
        {standing.quote !== null && <blockquote>{standing.quote}</blockquote>}
        {standing.text !== null && <p>{standing.text}</p>}
        {refusal !== null && (
          <p className={style.refusal} role="alert">
            {refusal}
          </p>
        )}
        {standing.buttons.length > 0 && (
          <div className={style.acts}>
            {standing.buttons.map(({ label, does, primary }) => (
              <Button
                key={label}
                size="small"
                kind={primary ? "primary" : "default"}
                disabled={acting !== null}
                onClick={() => act(label, does)}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
    </section>
  );
};
