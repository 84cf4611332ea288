import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { counted } from "../words/counts.ts";

/** So much of a line is laid out. */
const MAX_SHOWN = 8_000;

/** The beginning of a text, and all of it when it is asked for. */
export const LongText = ({ text, lines }: { text: string; lines: number }) => {
  const [isOpen, setOpen] = useState(false);
  const all = text.split("\n");
  const isLong = all.length > lines + 2 || text.length > MAX_SHOWN;
  if (!isLong) return text;
  return (
    <>
      {isOpen
        ? text.slice(0, 64 * MAX_SHOWN)
        : all.slice(0, lines).join("\n").slice(0, MAX_SHOWN)}{" "}
      <Button
        kind="plain"
        size="small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Show less" : `Show all ${counted(all.length, "line")}`}
      </Button>
    </>
  );
};
