import * as Ariakit from "@ariakit/react";
import type { ReactNode } from "react";
import style from "./dialog.module.css";

/** What lies over the page until it is closed. The focus returns to where it was. */
export const Dialog = ({
  label,
  isOpen,
  onClose,
  children,
}: {
  label: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) => (
  <Ariakit.Dialog
    open={isOpen}
    onClose={onClose}
    unmountOnHide
    aria-label={label}
    className={style.dialog}
    backdrop={<div className={style.veil} />}
  >
    {children}
  </Ariakit.Dialog>
);
