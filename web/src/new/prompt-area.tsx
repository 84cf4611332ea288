import { useEffect, useRef } from "react";
import { AttachButton } from "../dock/attach-button.tsx";
import { AttachmentList } from "../dock/attachment-list.tsx";
import { enterDoes } from "../dock/prompt-keys.ts";
import type { useAttachments } from "../dock/use-attachments.ts";
import style from "./new-session.module.css";

const isTouch = (): boolean => matchMedia("(pointer: coarse)").matches;

/** The first prompt. It has the focus, except where that would open a keyboard over the screen. */
export const PromptArea = ({
  value,
  attachments,
  onChange,
  onSend,
}: {
  value: string;
  attachments: Pick<
    ReturnType<typeof useAttachments>,
    "attachments" | "attachFiles" | "attachText" | "detach"
  >;
  onChange: (text: string) => void;
  onSend: () => void;
}) => {
  const {
    attachments: attached,
    attachFiles,
    attachText,
    detach,
  } = attachments;
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isTouch()) area.current?.focus();
  }, []);
  return (
    <div
      className={style.promptBox}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        attachFiles([...event.dataTransfer.files]);
      }}
    >
      <textarea
        ref={area}
        className={style.prompt}
        rows={3}
        aria-label="Prompt"
        placeholder="What is to be done?"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onPaste={(event) => {
          const { files } = event.clipboardData;
          const pasted = event.clipboardData.getData("text/plain");
          if (files.length === 0 && !attachText(pasted)) return;
          event.preventDefault();
          attachFiles([...files]);
        }}
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
      <AttachmentList attachments={attached} onRemove={detach} />
      <AttachButton onFiles={attachFiles} />
    </div>
  );
};
