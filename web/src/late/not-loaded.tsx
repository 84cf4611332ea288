import { Button } from "../kit/button.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import style from "./not-loaded.module.css";

/** Where it stands: among other rows, as a screen, over the page, or in the place of a card. */
export type MissingLook = "line" | "screen" | "over" | "card";

/** In the place of a part whose code could not be loaded. */
export const NotLoaded = ({
  name,
  look = "line",
  onAgain,
  onDismiss,
}: {
  name: string;
  look?: MissingLook;
  onAgain: () => void;
  onDismiss?: (() => void) | undefined;
}) => (
  <div className={style.missing} data-look={look} role="alert">
    <p>{name} could not be loaded.</p>
    <Button
      size="small"
      // A field that shows this while it is written in keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onAgain}
    >
      Load again
    </Button>
    {onDismiss !== undefined && (
      <IconButton icon="x" label="Close" onClick={onDismiss} />
    )}
  </div>
);
