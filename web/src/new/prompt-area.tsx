import { useEffect, useRef } from "react";
import { AttachButton } from "../dock/attach-button.tsx";
import { AttachmentList } from "../dock/attachment-list.tsx";
import { NotLoaded } from "../late/not-loaded.tsx";
import { sends } from "../dock/prompt-keys.ts";
import type { useAttachments } from "../dock/use-attachments.ts";
import style from "./new-session.module.css";

/** The first prompt. It has the focus, except where that would open a keyboard over the screen. */
export const PromptArea = ({
  value,
  attached: { attachments, again, attachFiles, dropping, onPaste, detach },
  onChange,
  onSend,
}: {
  value: string;
  attached: ReturnType<typeof useAttachments>;
  onChange: (text: string) => void;
  onSend: () => void;
}) => {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) area.current?.focus();
  }, []);
  return (
    <div className={style.promptBox} {...dropping}>
      <textarea
        ref={area}
        className={style.prompt}
        rows={3}
        aria-label="Prompt"
        placeholder="What is to be done?"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (!sends(event)) return;
          event.preventDefault();
          onSend();
        }}
      />
      {again !== null && (
        <NotLoaded name="What was attached before" onAgain={again} />
      )}
      <AttachmentList attachments={attachments} onRemove={detach} />
      <AttachButton onFiles={attachFiles} />
    </div>
  );
};
