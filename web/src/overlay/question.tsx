import * as Ariakit from "@ariakit/react";
import type { ReactNode } from "react";
import { Button } from "../kit/button.tsx";
import style from "./question.module.css";

/** Asked before something is done. The focus returns to where it was. */
export const Question = ({
  title,
  isOpen = true,
  onClose,
  children,
}: {
  title: ReactNode;
  isOpen?: boolean;
  onClose: () => void;
  children: ReactNode;
}) => (
  <Ariakit.Dialog
    open={isOpen}
    onClose={onClose}
    className={style.question}
    backdrop={<div className={style.veil} />}
  >
    <Ariakit.DialogHeading className={style.heading}>
      {title}
    </Ariakit.DialogHeading>
    {children}
  </Ariakit.Dialog>
);

/** What can be answered, behind the button that does nothing. */
export const Answers = ({
  cancel = "Cancel",
  children,
}: {
  cancel?: string;
  children?: ReactNode;
}) => (
  <div className={style.answers}>
    <Ariakit.DialogDismiss render={<Button>{cancel}</Button>} />
    {children}
  </div>
);
