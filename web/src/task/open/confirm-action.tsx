import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../../kit/button.tsx";
import style from "./task-buttons.module.css";

/** Asks once more. The focus is on the way back; `Escape` takes it. */
export const ConfirmAction = ({
  text,
  word,
  onConfirm,
  onLeave,
}: {
  text: string;
  word: string;
  onConfirm: () => void;
  onLeave: () => void;
}) => {
  const back = useRef<HTMLButtonElement>(null);
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") onLeave();
  });
  useEffect(() => {
    back.current?.focus();
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  return (
    <div className={style.confirm} role="group" aria-label={word}>
      <p>{text}</p>
      <Button kind="danger" onClick={onConfirm}>
        {word}
      </Button>
      <Button ref={back} onClick={onLeave}>
        Leave it
      </Button>
    </div>
  );
};
