import { useState } from "react";
import { Button } from "./button.tsx";

/** Copies a command. Browsers allow that only to pages of this machine and to `https`: elsewhere it says so. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [done, setDone] = useState<"copied" | "refused" | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone("copied");
    } catch {
      setDone("refused");
    }
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
