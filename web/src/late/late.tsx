/**
 * Parts of the page whose code is loaded when they are first shown.
 *
 *   shown ─► is the code there? ─ yes ─► the part
 *               └ no: load it ─► `waiting`, then the part, or what could not be loaded with "Load again" ─┐
 *                       └──────────────────────────────────────────────────────────────────────────────────┘
 *
 * Nothing else of the page goes with a part whose code cannot be loaded.
 */
import {
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useState,
} from "react";
import { loadFailedStyles } from "./failed-styles.ts";
import { type MissingLook, NotLoaded } from "./not-loaded.tsx";

/** What any late part may be given. */
interface LateProps {
  /** It stands there until the part does. */
  waiting?: ReactNode;
  /** What is closed is not loaded before it is opened. */
  isOpen?: boolean;
  /** What could not be loaded can be put away. */
  onDismiss?: () => void;
}

export interface Late<P> {
  Part: ComponentType<P & LateProps>;
  fetch: () => Promise<unknown>;
}

export const late = <P extends object>({
  name,
  load,
  look = "line",
  waiting: always = null,
}: {
  /** Begins the sentence that says what could not be loaded. */
  name: string;
  load: () => Promise<ComponentType<P>>;
  look?: MissingLook;
  waiting?: ReactNode;
}): Late<P> => {
  let loaded: ComponentType<P> | null = null;
  const fetch = async () => {
    await loadFailedStyles();
    return (loaded ??= await load());
  };
  const Part = (props: P & LateProps) => {
    const { isOpen = true, waiting = always, onDismiss } = props;
    const [Shown, setShown] = useState(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (Shown !== null || !isOpen) return undefined;
      let isLeft = false;
      setFailed(false);
      fetch().then(
        (part) => {
          if (!isLeft) setShown(() => part);
        },
        () => {
          if (!isLeft) setFailed(true);
        },
      );
      return () => {
        isLeft = true;
      };
    }, [Shown, isOpen, attempt]);
    if (Shown !== null) return createElement(Shown, props);
    return (
      <>
        {(!hasFailed || look !== "screen") && waiting}
        {hasFailed && isOpen && (
          <NotLoaded
            name={name}
            look={look}
            onAgain={() => setAttempt(attempt + 1)}
            onDismiss={onDismiss}
          />
        )}
      </>
    );
  };
  return { Part, fetch };
};

/** A part that nothing but its place asks for. */
export const latePart = <P extends object>(
  ...given: Parameters<typeof late<P>>
): Late<P>["Part"] => late(...given).Part;
