import { createContext, useContext, useState } from "react";

/** Which folds the reader has opened or closed, by their ids: a row forgets everything when it leaves the document. */
export interface KnownFolds {
  open: Map<string, boolean>;
  /** A reader is about to open or to close one. */
  onTurn: () => void;
}

export const Folds = createContext<KnownFolds | null>(null);

/** Whether a fold is open, and how to turn it. */
export const useFold = (
  id: string,
  isOpenFirst: boolean,
): [isOpen: boolean, turn: () => void] => {
  const folds = useContext(Folds);
  const [isOpen, setOpen] = useState(folds?.open.get(id) ?? isOpenFirst);
  const turn = (): void => {
    folds?.onTurn();
    folds?.open.set(id, !isOpen);
    setOpen(!isOpen);
  };
  return [isOpen, turn];
};
