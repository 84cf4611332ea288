import { useEffect, useRef } from "react";
import { enterDoes } from "../dock/prompt-keys.ts";
import style from "./new-session.module.css";

const isTouch = (): boolean => matchMedia("(pointer: coarse)").matches;

/** The first prompt. It has the focus, except where that would open a keyboard over the screen. */
export const PromptArea = ({
  value,
  onChange,
  onSend,
}: {
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
}) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isTouch()) area.current?.focus();
  }, []);
  return (
    <textarea
      ref={area}
      className={style.prompt}
      rows={3}
      aria-label="Prompt"
      placeholder="What is to be done?"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        const does = enterDoes({
          shiftKey: event.shiftKey,
          isComposing: event.nativeEvent.isComposing,
          isTouch: isTouch(),
          hasCommand: event.ctrlKey || event.metaKey,
        });
        if (does === "break") return;
        event.preventDefault();
        onSend();
      }}
    />
  );
};
