import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from "react";

const Now = createContext(0);
const TICK_MS = 15_000;

/** One clock for all ages on the page. */
export const NowProvider = ({ children }: { children: ReactNode }) => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <Now value={now}>{children}</Now>;
};

/** Milliseconds since 1970; renders again every few seconds. */
export const useNow = (): number => useContext(Now);
