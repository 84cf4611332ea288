import { useRef, useState } from "react";
import {
  type Attachment,
  fileAttachment,
  isBigPaste,
  textAttachment,
} from "./attachments.ts";

/** What is attached to a prompt that is not sent yet. */
export const useAttachments = (refuse: (words: string) => void) => {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const count = useRef(0);
  const newId = () => String(++count.current);
  const add = (attachment: Attachment) =>
    setAttachments((all) => [...all, attachment]);

  return {
    attachments,
    attachFiles: (files: readonly File[]) => {
      for (const file of files)
        void fileAttachment(newId(), file).then(
          (made) => ("refusal" in made ? refuse(made.refusal) : add(made)),
          () => refuse(`${file.name} could not be read.`),
        );
    },
    /** Whether the text became an attachment, because it is long. */
    attachText: (text: string): boolean => {
      if (!isBigPaste(text)) return false;
      const id = newId();
      add(textAttachment(id, `pasted-${id}.txt`, text));
      return true;
    },
    detach: (id: string) =>
      setAttachments((all) => all.filter((attachment) => attachment.id !== id)),
    clear: () => setAttachments([]),
  };
};
