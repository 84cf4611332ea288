import * as Ariakit from "@ariakit/react";
import type { ReactNode, RefObject } from "react";
import { Button } from "../kit/button.tsx";
import style from "./question.module.css";

/** Asked before something is done. The focus returns to where it was. */
export const Question = ({
  title,
  isOpen = true,
  onClose,
  initialFocus,
  children,
}: {
  title: ReactNode;
  isOpen?: boolean;
  onClose: () => void;
  /** What has the focus at first; else the first that can have it. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}) => (
  <Ariakit.Dialog
    {...(initialFocus !== undefined && { initialFocus })}
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
