import { useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

/** Copies a command; where the browser does not allow that, it says so. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [done, setDone] = useState<"copied" | "refused" | null>(null);
  const copy = async (): Promise<void> => {
    setDone((await copyText(text)) ? "copied" : "refused");
  };
  return (
    <Button
      size="small"
      kind="plain"
      icon={done === "copied" ? "check" : "copy"}
      title={`Copy the command for ${what}`}
      onClick={() => void copy()}
    >
      <span role="status">
        {done === "copied"
          ? "Copied"
          : done === "refused"
            ? "Select it to copy"
            : "Copy"}
      </span>
    </Button>
  );
};
