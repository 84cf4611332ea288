import {
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import type { ContentBlock } from "../../../src/contract/base/content.ts";
import { Button } from "../kit/button.tsx";
import { latePart } from "../late/late.tsx";
import { NotLoaded } from "../late/not-loaded.tsx";
import { AttachButton } from "./attach-button.tsx";
import { contentOf, sendRefusal } from "./attachments.ts";
import { linksOf, taken } from "./mentions.ts";
import { sends, unsent } from "./prompt-keys.ts";
import { refusalWords } from "../words/refusal-words.ts";
import { type AttachmentShelf, useAttachments } from "./use-attachments.ts";
import { useMention, type Workspace } from "./use-mention.ts";
import style from "./prompt-box.module.css";

// Loaded when the first @ is typed.
const FileOffers = latePart({
  name: "The list of files",
  load: async () => (await import("./file-offers.tsx")).FileOffers,
});

// Loaded with the first attachment.
const AttachmentList = latePart({
  name: "The list of attachments",
  load: async () => (await import("./attachment-list.tsx")).AttachmentList,
});

/** What is typed, and where it is kept until the server has taken it. */
export interface DraftShelf {
  read(): { text: string; key: string } | null;
  /** False where it is kept only until the page is closed. */
  write(text: string): boolean;
  /** The server has it under this key. */
  taken(key: string): void;
  attachments: AttachmentShelf;
}

export interface PromptBoxHandle {
  focus(): void;
  /** Puts a text before what is in the box. */
  refill(text: string): void;
}

/** Where prompts are written: one line that grows to ten. */
export const PromptBox = ({
  box,
  draft,
  workspace,
  onSend,
  onCancelTurn,
  choices,
  isBelowQueue,
  ref,
}: {
  box: { text: string; send: "Send" | "Queue" | null };
  draft: DraftShelf;
  /** Whose files `@` offers; null where there is no workspace yet. */
  workspace: Workspace | null;
  onSend: (content: readonly ContentBlock[], key: string) => Promise<unknown>;
  /** Null where no turn runs. */
  onCancelTurn: (() => void) | null;
  choices?: ReactNode;
  isBelowQueue: boolean;
  ref?: Ref<PromptBoxHandle>;
}) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => draft.read()?.text ?? "");
  /** It was typed before, and nobody has typed at it or sent it since. */
  const [isOld, setOld] = useState(text !== "");
  const [isKept, setKept] = useState(() => draft.write(text));
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const {
    attachments,
    files,
    again,
    attachFiles,
    dropping,
    onPaste,
    addFile,
    attemptKey,
    detach,
    clear,
  } = useAttachments(setRefusal, draft.attachments);
  /** Where the cursor is put when the text is there. */
  const cursor = useRef<number | null>(null);
  const offers = useMention(workspace, (mention, path) => {
    const next = taken(text, mention, path);
    cursor.current = next.cursor;
    type(next.text);
    addFile(path);
  });

  const type = (next: string) => {
    setText(next);
    setOld(false);
    setKept(draft.write(next));
  };
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    refill: (before) => {
      type(text === "" ? before : `${before}\n${text}`);
      area.current?.focus();
    },
  }));
  useLayoutEffect(() => {
    fitHeight(area.current);
    if (cursor.current === null) return;
    area.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  }, [text]);

  const content = [
    ...contentOf(text, attachments),
    ...linksOf(text, files, workspace?.cwd ?? "/"),
  ];
  const canSend = box.send !== null && content.length > 0 && !isSending;
  // The key of the prompt as it is: what is sent again after an answer was lost is no second prompt.
  const keyOf = async (): Promise<string> => {
    if (attachments.length > 0) return attemptKey(text);
    draft.write(text);
    return draft.read()?.key ?? crypto.randomUUID();
  };
  const send = () => {
    if (!canSend) return;
    const tooLarge = sendRefusal(text, attachments);
    if (tooLarge !== null) {
      setRefusal(tooLarge);
      return;
    }
    setSending(true);
    setRefusal(null);
    keyOf()
      .then(async (key) => {
        await onSend(content, key);
        return key;
      })
      .then(
        (key) => {
          // What was typed meanwhile stays.
          if (attachments.length === 0) draft.taken(key);
          const typed = draft.read()?.text ?? "";
          if (typed !== "") draft.write(unsent(typed, text));
          // At once: a key that is pressed before the box is drawn again would bring back what was sent.
          flushSync(() => {
            setText((now) => unsent(now, text));
            setSending(false);
          });
          clear({ attachments, files });
        },
        (error: unknown) => {
          setRefusal(refusalWords(error));
          setSending(false);
        },
      );
  };

  return (
    <div
      className={style.box}
      data-below={isBelowQueue || undefined}
      {...dropping}
    >
      {refusal !== null && (
        <p className={style.refusal} role="alert">
          {refusal}
        </p>
      )}
      {text !== "" && (isOld || !isKept) && (
        <p className={style.note} role="status">
          {isKept
            ? "Your draft from before. It is kept in this browser."
            : "This browser keeps no drafts: it is lost when the page is closed."}
        </p>
      )}
      {again !== null && (
        <NotLoaded name="What was attached before" onAgain={again} />
      )}
      {attachments.length > 0 && (
        <AttachmentList attachments={attachments} onRemove={detach} />
      )}
      {offers.mention !== null && (
        <FileOffers
          id={offers.id}
          paths={offers.paths}
          chosen={offers.chosen}
          note={offers.note}
          onChoose={offers.setChosen}
          onTake={offers.choose}
        />
      )}
      <div className={style.line}>
        <AttachButton disabled={box.send === null} onFiles={attachFiles} />
        <textarea
          ref={area}
          className={style.area}
          rows={1}
          aria-label="Prompt"
          placeholder={box.text}
          value={text}
          disabled={box.send === null && text === ""}
          {...offers.aria}
          onChange={({ target }) => {
            type(target.value);
            offers.look(target.value, target.selectionStart);
          }}
          onBlur={offers.close}
          onPaste={onPaste}
          onKeyDown={(event) => {
            if (offers.pressed(event)) return;
            // Keys of the page work again outside the box.
            if (event.key === "Escape") event.currentTarget.blur();
            if (!sends(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <div className={style.choices}>{choices}</div>
        {onCancelTurn !== null && (
          <Button
            kind="danger"
            size="small"
            icon="stop"
            className={style.cancel}
            onClick={onCancelTurn}
          >
            <span className={style.word}>Cancel turn</span>
          </Button>
        )}
        {box.send !== null && (
          <Button
            kind="primary"
            size="small"
            icon="send"
            className={style.send}
            disabled={!canSend}
            onClick={send}
          >
            <span className={style.word}>{box.send}</span>
          </Button>
        )}
      </div>
    </div>
  );
};

/** As high as its text, from one line to the ten that its style allows. */
const fitHeight = (area: HTMLTextAreaElement | null): void => {
  if (area === null) return;
  area.style.height = "auto";
  // While it is empty its placeholder counts for nothing: one line.
  if (area.value !== "") area.style.height = `${area.scrollHeight}px`;
};
