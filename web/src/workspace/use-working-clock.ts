import { useEffect, useState } from "react";

const EVERY_MS = 15_000;

/** A number that grows while the agent works and when somebody comes back to the page: files may have changed without an event. */
export const useWorkingClock = (isWorking: boolean): number => {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const tick = (): void => {
      if (document.visibilityState === "visible") setCount((was) => was + 1);
    };
    document.addEventListener("visibilitychange", tick);
    const timer = isWorking ? setInterval(tick, EVERY_MS) : undefined;
    return () => {
      document.removeEventListener("visibilitychange", tick);
      clearInterval(timer);
    };
  }, [isWorking]);
  return count;
};
