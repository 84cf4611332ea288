import { useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";
import { Kbd } from "./kbd.tsx";
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
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (
        event.key !== "/" ||
        (target instanceof HTMLElement &&
          target.matches("input, textarea, select, [contenteditable]"))
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
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
