import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import style from "./notices.module.css";

/** Something was not done: the words of whoever refused it, until they are closed. */
export const RefusalBar = ({
  text,
  onClose,
}: {
  text: string;
  onClose: () => void;
}) => (
  <div className={style.refusalBar} role="alert">
    <Icon name="alert" size={14} />
    <span>{text}</span>
    <IconButton icon="x" label="Close" onClick={onClose} />
  </div>
);
