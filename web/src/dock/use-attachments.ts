import {
  type ClipboardEvent,
  type DragEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { type Attachment, isBigPaste, textAttachment } from "./attachments.ts";
import { type Kept, NOTHING_KEPT } from "./kept.ts";

/** Where what is attached to one draft is kept. */
export interface AttachmentShelf {
  read(): Promise<Kept>;
  write(kept: Kept): Promise<void>;
}

/** What is attached to a prompt that is not sent yet: it is there again after a reload. */
export const useAttachments = (
  refuse: (words: string) => void,
  shelf: AttachmentShelf,
) => {
  const [kept, setKept] = useState<Kept>(NOTHING_KEPT);
  const current = useRef(kept);
  /** Until what was kept is read, nothing is written over it. A file that is still being read may finish after that. */
  const isRead = useRef(false);
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const change = (next: (kept: Kept) => Kept): Promise<void> => {
    current.current = next(current.current);
    setKept(current.current);
    return isRead.current ? shelf.write(current.current) : Promise.resolve();
  };
  useEffect(() => {
    let isLeft = false;
    setFailed(false);
    const take = (before: Kept): void => {
      if (isLeft) return;
      const { attachments, files, attempt } = current.current;
      current.current = {
        attachments: [...before.attachments, ...attachments],
        files: [...new Set([...before.files, ...files])],
        attempt: attempt ?? before.attempt,
      };
      setKept(current.current);
      isRead.current = true;
      if (attachments.length > 0 || files.length > 0)
        void shelf.write(current.current);
    };
    shelf.read().then(take, () => {
      if (!isLeft) setFailed(true);
    });
    return () => {
      isLeft = true;
    };
  }, [shelf, attempt]);
  const add = (attachment: Attachment) =>
    void change((all) => ({
      ...all,
      attachments: [...all.attachments, attachment],
    }));
  const { attachments, files } = kept;
  const attachFiles = (given: Iterable<File>): void => {
    for (const file of given)
      void import("./file-attachment.ts")
        .then(({ fileAttachment }) => fileAttachment(crypto.randomUUID(), file))
        .then(
          (made) => ("refusal" in made ? refuse(made.refusal) : add(made)),
          () => refuse(`${file.name} could not be read.`),
        );
  };
  const attachText = (how: string, text: string): void =>
    add(
      textAttachment(
        crypto.randomUUID(),
        `${how}-${attachments.length + 1}.txt`,
        text,
      ),
    );

  return {
    attachments,
    files,
    /** Where what was attached before could not be loaded: asks for it again. */
    again: hasFailed ? () => setAttempt(attempt + 1) : null,
    attachFiles,
    /** For what files and texts are dropped on: it holds the field. */
    dropping: {
      onDragOver: (event: DragEvent) => {
        if (!isFields(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        const { items, files } = event.dataTransfer;
        const text = event.dataTransfer.getData("text/plain");
        const isText = files.length === 0 && !isBigPaste(text);
        if (isText && isFields(event)) return;
        event.preventDefault();
        const folders = foldersIn(items);
        for (const name of folders)
          refuse(`${name} is a folder. Put it into the workspace and name it.`);
        attachFiles([...files].filter(({ name }) => !folders.includes(name)));
        if (files.length > 0) return;
        if (isText) insertText(event.currentTarget, text);
        else attachText("dropped", text);
      },
    },
    /** For the field: files are attached, and so is a long text. */
    onPaste: (event: ClipboardEvent) => {
      const { files } = event.clipboardData;
      const text = event.clipboardData.getData("text/plain");
      if (files.length === 0 && !isBigPaste(text)) return;
      event.preventDefault();
      attachFiles(files);
      if (files.length > 0) return;
      attachText("pasted", text);
    },
    /** A file of the workspace was taken into the text. */
    addFile: (path: string) =>
      void change((all) => ({
        ...all,
        files: [...all.files.filter((each) => each !== path), path].slice(-50),
      })),
    detach: (id: string) =>
      void change((all) => ({
        ...all,
        attachments: all.attachments.filter((each) => each.id !== id),
      })),
    /** The key of the prompt as it is. It is kept before it is used: what is sent again after a reload is no second prompt. */
    attemptKey: async (text: string): Promise<string> => {
      const ids = attachments.map(({ id }) => id);
      const { attempt } = current.current;
      if (attempt?.text === text && attempt.ids.join() === ids.join())
        return attempt.key;
      const key = crypto.randomUUID();
      await change((all) => ({ ...all, attempt: { text, ids, key } }));
      return key;
    },
    /** The server has taken these. What was attached since stays. */
    clear: (sent: Pick<Kept, "attachments" | "files">) =>
      void change((all) => ({
        attachments: all.attachments.filter(
          (each) => !sent.attachments.includes(each),
        ),
        files: all.files.filter((each) => !sent.files.includes(each)),
        attempt: null,
      })),
  };
};

/** A text over the field itself: the browser shows where it goes, and puts it there. */
const isFields = ({ target, dataTransfer }: DragEvent): boolean =>
  target instanceof HTMLTextAreaElement &&
  !dataTransfer.types.includes("Files");

/** The names of folders among what is dropped: they look like files, and cannot be read. */
const foldersIn = (items: DataTransferItemList): string[] =>
  [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry();
    return entry?.isDirectory === true ? [entry.name] : [];
  });

/** Puts a text where the caret of the field is, as if it were typed. */
const insertText = (holder: HTMLElement, text: string): void => {
  const area = holder.querySelector("textarea");
  if (area === null || area.disabled || text === "") return;
  area.focus();
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
};
