import type { Tool as ToolCall } from "../../../src/contract/agent/tool.ts";
import type { Message } from "../../../src/contract/session/message.ts";
import { CODE_OF_DIFFS, type ReadDiff, useDiff } from "../diff/diffs.tsx";
import type { DiffFile } from "../diff/parse.ts";
import { PlusMinus } from "../diff/plus-minus.tsx";
import { TextsDiff } from "../diff/texts-diff.tsx";
import { Icon } from "../kit/icon.tsx";
import { NotLoaded } from "../late/not-loaded.tsx";
import { PlainText } from "../markdown/plain-text.tsx";
import { number } from "../words/counts.ts";
import { Fold } from "./fold.tsx";
import { lastLines, standingOf, toolName } from "./tool-words.ts";
import style from "./tool.module.css";

/** So many lines of a running command are shown, in a box of fixed height. */
const RUNNING_LINES = 6;

/** One call of a tool. */
export const Tool = ({
  message,
  directories,
  isOver,
}: {
  message: Message;
  directories: readonly string[];
  isOver: boolean;
}) => {
  const { tool = { id: message.id, title: message.text } } = message;
  const standing = standingOf(tool, isOver);
  const { icon, verb, object } = toolName(tool, {
    directories,
    isRunning: standing === "running",
  });
  const { files: changed, again } = useDiff(
    hasDiff(tool) ? { kind: "texts", files: tool.diffs ?? [] } : null,
  );
  const line = (
    <>
      <Icon name={icon} size={14} />
      <span className={object === null ? style.object : style.verb}>
        {verb}
      </span>
      {object !== null && <code className={style.object}>{object}</code>}
      {changed !== null && (
        <PlusMinus
          added={sum(changed, "added")}
          removed={sum(changed, "removed")}
        />
      )}
    </>
  );
  const running = standing === "running" ? (tool.output ?? "") : "";
  return (
    <div className={style.tool}>
      <Fold
        // What changed its standing opens or closes by itself once.
        key={standing}
        id={`${message.id} ${standing}`}
        line={line}
        aside={<Standing standing={standing} />}
        isOpenFirst={standing === "failed" || isSmallDiff(tool)}
      >
        {hasInside(tool)
          ? () => (
              <Inside
                tool={tool}
                changed={changed}
                again={again}
                directories={directories}
              />
            )
          : null}
      </Fold>
      {tool.kind === "execute" && standing === "running" && (
        <pre className={style.running} aria-label="The last lines it wrote">
          {lastLines(running, RUNNING_LINES)}
        </pre>
      )}
    </div>
  );
};

const hasDiff = ({ diffs = [] }: ToolCall): boolean => diffs.length > 0;

/** Few lines are shown without asking. */
const isSmallDiff = (tool: ToolCall): boolean =>
  hasDiff(tool) &&
  (tool.diffs ?? []).every(
    ({ old_text, new_text }) =>
      (old_text ?? "").length + new_text.length < 3_000,
  );

const sum = (files: readonly DiffFile[], what: "added" | "removed"): number =>
  files.reduce((sum, file) => sum + file[what], 0);

const hasInside = (tool: ToolCall): boolean =>
  hasDiff(tool) || (tool.output ?? "") !== "" || tool.input !== undefined;

const Standing = ({ standing }: { standing: ReturnType<typeof standingOf> }) =>
  standing === "failed" ? (
    <span className={style.bad}>failed</span>
  ) : standing === "cut" ? (
    <span className={style.bad}>cut off, its effect is not known</span>
  ) : standing === "running" ? (
    <span className={style.now}>running</span>
  ) : null;

const Inside = ({
  tool,
  changed,
  again,
  directories,
}: {
  tool: ToolCall;
  changed: readonly DiffFile[] | null;
  again: ReadDiff["again"];
  directories: readonly string[];
}) => (
  <>
    {again !== null && <NotLoaded name={CODE_OF_DIFFS} onAgain={again} />}
    {changed !== null && (
      <TextsDiff
        files={changed}
        directories={directories}
        isNamed={changed.length > 1}
      />
    )}
    {!hasDiff(tool) && tool.input !== undefined && (
      <pre className={style.output} tabIndex={0}>
        {inputText(tool.input)}
      </pre>
    )}
    {(tool.output ?? "") !== "" && (
      <div
        className={style.output}
        tabIndex={0}
        role="region"
        aria-label="Result"
      >
        <PlainText text={tool.output ?? ""} />
        {tool.output_omitted !== undefined && (
          <p className={style.omitted}>
            {number(tool.output_omitted)} more characters are in the session’s
            events.
          </p>
        )}
      </div>
    )}
  </>
);

const inputText = (input: unknown): string =>
  (typeof input === "string" ? input : JSON.stringify(input, null, 2)).slice(
    0,
    16_000,
  );
