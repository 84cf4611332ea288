import { createContext, type ReactNode, useContext, useEffect } from "react";
import { useReadable } from "../kit/use-readable.ts";
import type { PageStores } from "../start/page-stores.ts";
import { titleWith } from "../store/attention.ts";

const Needing = createContext(0);

/** Lets titles say how many sessions need somebody. */
export const TitleProvider = ({
  attention,
  children,
}: Pick<PageStores, "attention"> & { children: ReactNode }) => (
  <Needing value={useReadable(attention).length}>{children}</Needing>
);

/** The title of the page while a screen is shown. */
export const useTitle = (title: string): void => {
  const needing = useContext(Needing);
  useEffect(() => {
    document.title = titleWith(needing, title);
  }, [needing, title]);
};
