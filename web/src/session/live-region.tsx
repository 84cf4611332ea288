import { useEffect, useRef, useState } from "react";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import type { SessionView } from "../store/open-session.ts";
import { announced } from "./announce.ts";

/** Says what happened, politely: turns that end, questions, breaks. */
export const LiveRegion = ({
  view,
  agentName,
}: {
  view: SessionView;
  agentName: string;
}) => {
  const before = useRef(view);
  const [words, setWords] = useState("");
  useEffect(() => {
    const said = announced(before.current, view, agentName);
    before.current = view;
    if (said.length > 0) setWords(said.join(" "));
  }, [view, agentName]);
  return (
    <div role="status" aria-live="polite">
      <VisuallyHidden>{words}</VisuallyHidden>
    </div>
  );
};
