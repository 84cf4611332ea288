import { useEffect, useState } from "react";
import style from "./state.module.css";

/** What comes within this time is not announced: a flash helps nobody. */
const QUIET_MS = 200;

/** While something is on its way. */
export const LoadingState = ({ label = "Loading" }: { label?: string }) => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={style.state} role="status" aria-busy>
      {isSlow && (
        <>
          <span className={style.bar} />
          <span>{label}</span>
        </>
      )}
    </div>
  );
};
