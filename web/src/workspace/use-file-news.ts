import { useEffect, useRef, useState } from "react";

/** Tool calls may end many times a second: files are looked at no more often than this. */
const PAUSE_MS = 2_000;
/** Where nothing is told while the agent works: a long command writes files, say. */
const FALLBACK_MS = 60_000;

/** A number that grows when `news` is another one, and when somebody comes back to the page: files may have changed. */
export const useFileNews = (news: string, isWorking: boolean): number => {
  const [count, setCount] = useState(0);
  const told = useRef({ news, at: 0 });
  useEffect(() => {
    if (told.current.news === news) return undefined;
    const tell = (): void => {
      told.current = { news, at: performance.now() };
      setCount((was) => was + 1);
    };
    const wait = told.current.at + PAUSE_MS - performance.now();
    if (wait <= 0) {
      tell();
      return undefined;
    }
    const timer = setTimeout(tell, wait);
    return () => clearTimeout(timer);
  }, [news]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") setCount((was) => was + 1);
    };
    document.addEventListener("visibilitychange", look);
    const timer = isWorking ? setInterval(look, FALLBACK_MS) : undefined;
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearInterval(timer);
    };
  }, [isWorking]);
  return count;
};
