import { useState } from "react";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import { refusalWords } from "../words/refusal-words.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import type { LastRewind, OpenSession } from "../store/open-session.ts";
import style from "./notices.module.css";

/** Until the next prompt begins a turn: what the rewind captured first can be had back. */
export const RewoundNotice = ({
  open,
  rewound: { to, undo },
  isOff,
}: {
  open: Pick<OpenSession, "rewind">;
  rewound: LastRewind;
  /** It cannot be undone now. */
  isOff: boolean;
}) => {
  const [isOpen, setOpen] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{
    text: string;
    /** Somebody worked here since: the undo can leave that. */
    isPersonal: boolean;
  } | null>(null);
  if (!isOpen) return null;
  const goBack = (edits: "refuse" | "keep"): void => {
    if (undo === null) return;
    setBusy(true);
    setRefused(null);
    open
      .rewind({ checkpoint: undo, edits })
      .catch((error: unknown) =>
        setRefused({
          text: refusalWords(error),
          isPersonal:
            error instanceof RepriseError &&
            error.code === "rewind_unconfirmed",
        }),
      )
      .finally(() => setBusy(false));
  };
  return (
    <div className={style.rewound} role="status">
      <Icon name="rewind" size={14} />
      <span>
        Rewound to turn {to}.
        {refused !== null && (
          <span className={style.refusal}> {refused.text}</span>
        )}
      </span>
      {undo !== null &&
        (refused?.isPersonal === true ? (
          <Button
            size="small"
            disabled={isBusy || isOff}
            onClick={() => goBack("keep")}
          >
            Undo, and leave that as it is
          </Button>
        ) : (
          <Button
            size="small"
            disabled={isBusy || isOff}
            onClick={() => goBack("refuse")}
          >
            Undo
          </Button>
        ))}
      <IconButton icon="x" label="Close" onClick={() => setOpen(false)} />
    </div>
  );
};
