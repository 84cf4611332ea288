import { useSyncExternalStore } from "react";

const PHONE = "(width <= 760px)";

/** Whether the window is as narrow as a phone's. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      const phone = matchMedia(PHONE);
      phone.addEventListener("change", changed);
      return () => phone.removeEventListener("change", changed);
    },
    () => matchMedia(PHONE).matches,
  );
