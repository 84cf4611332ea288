import { useEffect, useRef, useState } from "react";
import { IconButton } from "../kit/icon-button.tsx";
import style from "./search-bar.module.css";

/** Finds text in what a terminal shows and has shown. */
export const SearchBar = ({
  onFind,
  onClose,
}: {
  onFind: (text: string, direction: "next" | "previous" | "first") => boolean;
  onClose: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const [text, setText] = useState("");
  const [isFound, setFound] = useState(true);
  const find = (direction: "next" | "previous") =>
    setFound(text === "" || onFind(text, direction));
  return (
    <search className={style.bar}>
      <input
        className={style.input}
        aria-label="Find in the terminal"
        placeholder="Find"
        ref={input}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setFound(target.value === "" || onFind(target.value, "first"));
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") find(event.shiftKey ? "previous" : "next");
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span className={style.none} role="status">
        {isFound ? "" : "Not found"}
      </span>
      <IconButton
        icon="down"
        label="Next"
        disabled={text === ""}
        onClick={() => find("next")}
      />
      <IconButton
        icon="up"
        label="Previous"
        disabled={text === ""}
        onClick={() => find("previous")}
      />
      <IconButton icon="x" label="Close the search" onClick={onClose} />
    </search>
  );
};
