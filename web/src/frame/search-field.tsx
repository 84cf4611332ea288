import { useRef } from "react";
import { Icon } from "../kit/icon.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { useCommands } from "../overlay/use-commands.ts";
import style from "./search-field.module.css";

/** The search of a screen. `/` goes there, `Escape` empties it. */
export const SearchField = ({
  label,
  query,
  onChange,
}: {
  label: string;
  query: string;
  onChange: (query: string) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useCommands({ search: () => input.current?.focus() });
  return (
    <search>
      <label className={style.field}>
        <Icon name="search" size={14} />
        <input
          ref={input}
          type="search"
          placeholder={label}
          aria-label={label}
          value={query}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            onChange("");
            event.currentTarget.blur();
          }}
        />
        <Kbd>/</Kbd>
      </label>
    </search>
  );
};
