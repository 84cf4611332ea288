import { useRef } from "react";
import { Answers, Question } from "./question.tsx";
import { isMac } from "./is-mac.ts";
import style from "./uncopied.module.css";

/** What the browser did not let the page copy: selected, so that somebody copies it by a key. */
const Uncopied = ({ text, onClose }: { text: string; onClose: () => void }) => {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <Question
      title="The browser does not let the page copy"
      onClose={onClose}
      initialFocus={area}
    >
      <p>Copy it with {isMac(navigator) ? "⌘C" : "Ctrl+C"}: it is selected.</p>
      <textarea
        ref={area}
        className={style.text}
        aria-label="What was to be copied"
        rows={Math.min(12, text.split("\n", 12).length + 1)}
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
      />
      <Answers cancel="Close" />
    </Question>
  );
};

export default Uncopied;
