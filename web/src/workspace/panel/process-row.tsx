import { useEffect, useRef, useState } from "react";
import { refusalWords } from "../../words/refusal-words.ts";
import { Age } from "../../kit/age.tsx";
import { Button } from "../../kit/button.tsx";
import { VisuallyHidden } from "../../kit/visually-hidden.tsx";
import type { ProcessLine } from "./process-words.ts";
import { legibleName, MAX_PATH } from "../../words/legible.ts";
import style from "./processes.module.css";

type Step = "rest" | "asks" | "ends";

/** One process. It is ended only after a question. */
export const ProcessRow = ({
  line,
  onEnd,
}: {
  line: ProcessLine;
  onEnd: () => Promise<void>;
}) => {
  const { process, startedBy, cpu, memory, ports, keepReason } = line;
  const [step, setStep] = useState<Step>("rest");
  const [refusal, setRefusal] = useState<string | null>(null);
  const end = (): void => {
    setStep("ends");
    setRefusal(null);
    onEnd().catch((error: unknown) => {
      setStep("rest");
      setRefusal(refusalWords(error));
    });
  };
  return (
    <li className={style.row}>
      <code
        className={style.command}
        title={legibleName(process.command, MAX_PATH)}
      >
        {legibleName(process.command, MAX_PATH)}
      </code>
      <span className={style.facts}>
        <span>{startedBy}</span>
        <span className={style.number}>pid {process.pid}</span>
        {ports.map((port) => (
          <a
            key={port}
            className={style.port}
            href={`http://${location.hostname}:${port}`}
            target="_blank"
            rel="noreferrer noopener"
            aria-label={`Port ${port}`}
          >
            :{port}
          </a>
        ))}
        {cpu !== null && <span className={style.number}>{cpu} CPU</span>}
        <span className={style.number}>{memory}</span>
        <span className={style.number}>
          <VisuallyHidden>started </VisuallyHidden>
          <Age at={process.started_at} />
        </span>
      </span>
      <span className={style.acts}>
        <Ending
          command={process.command}
          step={step}
          keepReason={keepReason}
          onStep={setStep}
          onEnd={end}
        />
      </span>
      {refusal !== null && (
        <p className={style.refusal} role="alert">
          {refusal}
        </p>
      )}
    </li>
  );
};

const Ending = ({
  command,
  step,
  keepReason,
  onStep,
  onEnd,
}: {
  command: string;
  step: Step;
  keepReason: string | null;
  onStep: (step: Step) => void;
  onEnd: () => void;
}) => {
  const opener = useRef<HTMLButtonElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (step === "asks") cancel.current?.focus();
    else if (step === "rest" && wasAsked.current) opener.current?.focus();
    wasAsked.current = step === "asks";
  }, [step]);
  if (step === "asks")
    return (
      // Escape leaves the question from whichever button has the focus.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
      <span
        className={style.question}
        role="group"
        aria-label={`End ${legibleName(command)}?`}
        onKeyDown={(event) => {
          if (event.key === "Escape") onStep("rest");
        }}
      >
        <span>End it?</span>
        <Button ref={cancel} size="small" onClick={() => onStep("rest")}>
          Keep it
        </Button>
        <Button size="small" kind="danger" onClick={onEnd}>
          End process
        </Button>
      </span>
    );
  return (
    <Button
      ref={opener}
      size="small"
      kind="plain"
      disabled={keepReason !== null || step === "ends"}
      {...(keepReason === null ? {} : { title: keepReason })}
      aria-label={`End ${legibleName(command, 80)}`}
      onClick={() => onStep("asks")}
    >
      {step === "ends" ? "Ending" : "End"}
    </Button>
  );
};
