import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { Permission as Asked } from "../../../src/contract/agent/permission.ts";
import { useDiff } from "../diff/diffs.tsx";
import { TextsDiff } from "../diff/texts-diff.tsx";
import { Button } from "../kit/button.tsx";
import { Glyph } from "../kit/glyph.tsx";
import { Kbd } from "../kit/kbd.tsx";
import {
  answersOf,
  askedText,
  askWords,
  shortenedWords,
} from "./permission-words.ts";
import { refusalWords } from "../words/refusal-words.ts";
import style from "./permission.module.css";
import { legible } from "../words/legible.ts";

/** A card that just appeared under a finger or between two keystrokes answers nothing. */
const INERT_MS = 500;

/** A question of the agent. It never takes the focus; its keys answer only while it has it. */
export const Permission = ({
  permission,
  others,
  agentName,
  cwd,
  onAnswer,
  ref,
}: {
  permission: Asked;
  /** How many questions wait behind it. */
  others: number;
  agentName: string;
  cwd: string;
  onAnswer: (optionId: string) => Promise<void>;
  ref: RefObject<HTMLElement | null>;
}) => {
  const [isInert, setInert] = useState(true);
  const [isAnswering, setAnswering] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    const timer = setTimeout(() => setInert(false), INERT_MS);
    return () => {
      isMounted.current = false;
      clearTimeout(timer);
    };
  }, []);
  const answers = answersOf(permission.options);
  const answer = (optionId: string) => {
    if (isInert || isAnswering) return;
    setAnswering(true);
    setRefusal(null);
    onAnswer(optionId).then(
      () => undefined,
      (error: unknown) => {
        if (!isMounted.current) return;
        setRefusal(refusalWords(error));
        setAnswering(false);
      },
    );
  };
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const chosen = answers.find(({ key }) => key === event.key);
    if (chosen === undefined) return;
    event.preventDefault();
    answer(chosen.optionId);
  });
  useEffect(() => {
    const { current: card } = ref;
    card?.addEventListener("keydown", pressed);
    return () => card?.removeEventListener("keydown", pressed);
  }, [ref]);
  const text = askedText(permission);
  const shortened = shortenedWords(permission);
  return (
    <section
      ref={ref}
      className={style.card}
      aria-label="Permission"
      tabIndex={-1}
    >
      <div className={style.head}>
        <Glyph state="needs_you" />
        <h2>{askWords(permission, agentName)}</h2>
        {others > 0 && <span className={style.more}>{others} more wait</span>}
      </div>
      {text !== null && (
        <pre className={style.text} tabIndex={0}>
          {legible(text)}
        </pre>
      )}
      <AskedDiff diff={permission.tool?.diff ?? null} cwd={cwd} />
      {shortened !== null && <p className={style.note}>{shortened}</p>}
      {refusal !== null && (
        <p className={style.refusal} role="alert">
          {refusal}
        </p>
      )}
      <div className={style.acts} data-inert={isInert || undefined}>
        {answers.map(({ optionId, label, isPrimary, key }) => (
          <Button
            key={optionId}
            kind={isPrimary ? "primary" : "default"}
            aria-disabled={isInert || isAnswering}
            onClick={() => answer(optionId)}
          >
            {label}
            {key !== null && <Kbd>{key}</Kbd>}
          </Button>
        ))}
        <span className={style.hint}>
          Stays here until it is answered. <Kbd>Esc</Kbd> <Kbd>P</Kbd> to reach
          it
        </span>
      </div>
    </section>
  );
};

const AskedDiff = ({ diff, cwd }: { diff: string | null; cwd: string }) => {
  const { files } = useDiff(
    diff === null ? null : { kind: "unified", text: diff },
  );
  if (diff === null) return null;
  return (
    <div className={style.diff}>
      {files === null || files.length === 0 ? (
        <pre className={style.text} tabIndex={0}>
          {diff}
        </pre>
      ) : (
        <TextsDiff files={files} directories={[cwd]} isNamed />
      )}
    </div>
  );
};
