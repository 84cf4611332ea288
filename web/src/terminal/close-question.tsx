import * as Ariakit from "@ariakit/react";
import { Button } from "../kit/button.tsx";
import style from "./close-question.module.css";

/** Asked where something would end with the shell. */
const CloseQuestion = ({
  name,
  running,
  onClose,
  onCancel,
}: {
  name: string;
  running: string;
  onClose: () => void;
  onCancel: () => void;
}) => (
  <Ariakit.Dialog
    open
    onClose={onCancel}
    className={style.dialog}
    backdrop={<div className={style.veil} />}
  >
    <Ariakit.DialogHeading className={style.heading}>
      Close {name}?
    </Ariakit.DialogHeading>
    <p>{running} It is ended, and what the terminal shows is forgotten.</p>
    <div className={style.acts}>
      <Ariakit.DialogDismiss render={<Button>Keep it</Button>} />
      <Button kind="danger" onClick={onClose}>
        Close terminal
      </Button>
    </div>
  </Ariakit.Dialog>
);

export default CloseQuestion;
