import { useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

/** Copies a command; where the browser does not allow that, it is shown. */
export const CopyButton = ({ text, what }: { text: string; what: string }) => {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => setCopied(await copyText(text));
  return (
    <Button
      size="small"
      kind="plain"
      icon={isCopied ? "check" : "copy"}
      title={`Copy the command for ${what}`}
      onClick={() => void copy()}
    >
      <span role="status">{isCopied ? "Copied" : "Copy"}</span>
    </Button>
  );
};
