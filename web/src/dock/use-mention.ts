import { type KeyboardEvent, useId, useState } from "react";
import type { Client } from "../../../src/client/client.ts";
import { type FileSearch, useFileSearch } from "./use-file-search.ts";
import { type Mention, mentionAt } from "./mentions.ts";
import { counted } from "../words/counts.ts";

/** Where the prompt box finds files. */
export interface Workspace {
  client: Pick<Client, "searchFiles">;
  session: string;
  cwd: string;
}

/** The list of files while `@` and a name is being typed. */
export const useMention = (
  workspace: Workspace | null,
  take: (mention: Mention, path: string) => void,
) => {
  const id = useId();
  const [mention, setMention] = useState<Mention | null>(null);
  const [chosen, setChosen] = useState(0);
  const { paths, isLooking, refusal } = useFileSearch(
    workspace?.client ?? null,
    workspace?.session ?? null,
    mention?.query ?? null,
  );
  const at = Math.min(chosen, paths.length - 1);
  const close = () => setMention(null);
  const choose = (path: string) => {
    if (mention === null) return;
    take(mention, path);
    close();
  };
  return {
    id,
    mention,
    paths,
    chosen: at,
    setChosen,
    choose,
    close,
    note: noteOf({ paths, isLooking, refusal }, mention?.query ?? ""),
    /** After the text or the cursor changed. */
    look: (text: string, cursor: number) => {
      setMention(workspace === null ? null : mentionAt(text, cursor));
      setChosen(0);
    },
    /** Whether the key belonged to the list. */
    pressed: (event: KeyboardEvent): boolean => {
      if (mention === null || event.nativeEvent.isComposing) return false;
      const path = paths[at];
      if (event.key === "Escape") close();
      else if (path === undefined) return false;
      else if (event.key === "ArrowDown") setChosen((at + 1) % paths.length);
      else if (event.key === "ArrowUp")
        setChosen((at + paths.length - 1) % paths.length);
      else if (isTake(event)) choose(path);
      else return false;
      event.preventDefault();
      return true;
    },
    /** What tells the list to somebody who does not see it. */
    aria:
      mention !== null && paths.length > 0
        ? {
            "aria-autocomplete": "list" as const,
            "aria-haspopup": "listbox" as const,
            "aria-controls": id,
            "aria-activedescendant": `${id}-${at}`,
          }
        : {},
  };
};

const isTake = ({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (key === "Tab" || key === "Enter") && !shiftKey && !ctrlKey && !metaKey;

const noteOf = (
  { paths, isLooking, refusal }: FileSearch,
  query: string,
): string => {
  if (refusal !== null) return `Files cannot be searched: ${refusal}`;
  if (query === "") return "Type the beginning of a file’s name";
  if (paths.length > 0)
    return `${counted(paths.length, "file")}: arrows choose, Enter takes`;
  return isLooking ? "Looking for files" : "No file is called that";
};
