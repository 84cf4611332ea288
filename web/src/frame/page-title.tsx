import { createContext, type ReactNode, useContext, useEffect } from "react";
import { useReadable } from "../kit/use-readable.ts";
import { type Attention, titleWith } from "../store/attention.ts";
import type { Readable } from "../store/readable.ts";

const Count = createContext(0);

/** How many sessions need somebody stands before the title of every screen. */
export const TitleCount = ({
  attention,
  children,
}: {
  attention: Readable<readonly Attention[]>;
  children: ReactNode;
}) => <Count value={useReadable(attention).length}>{children}</Count>;

export const usePageTitle = (title: string): void => {
  const count = useContext(Count);
  useEffect(() => {
    document.title = titleWith(count, title);
  }, [count, title]);
};
