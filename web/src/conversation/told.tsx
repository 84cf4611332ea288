import type { ToldText } from "../store/open-session.ts";
import { counted } from "../words/counts.ts";
import { Fold } from "./fold.tsx";
import style from "./told.module.css";

/** Longer texts are shown up to here. */
const MAX_SHOWN = 256_000;

/** The text that the agent was given, as it got it. */
export const Told = ({ told: { turn, text } }: { told: ToldText }) => (
  <Fold
    id={`told-${turn}`}
    line={<span>What it was told</span>}
    aside={`with turn ${turn}`}
  >
    {() => (
      <>
        <pre
          className={style.text}
          tabIndex={0}
          role="region"
          aria-label={`What the agent was told with turn ${turn}`}
        >
          {text.slice(0, MAX_SHOWN)}
        </pre>
        {text.length > MAX_SHOWN && (
          <p>{counted(text.length - MAX_SHOWN, "character")} more.</p>
        )}
      </>
    )}
  </Fold>
);
