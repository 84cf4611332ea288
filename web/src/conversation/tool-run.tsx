import type { Message } from "../../../src/contract/session/message.ts";
import { Icon } from "../kit/icon.tsx";
import { Fold } from "./fold.tsx";
import { Tool } from "./tool.tsx";
import { runWords } from "./tool-words.ts";

/** Finished calls in one line. */
export const ToolRun = ({
  messages,
  directories,
}: {
  messages: readonly Message[];
  directories: readonly string[];
}) => (
  <Fold
    id={`run ${messages[0]?.id}`}
    line={
      <>
        <Icon name="list" size={14} />
        <span>{runWords(messages.flatMap(({ tool }) => tool ?? []))}</span>
      </>
    }
  >
    {() =>
      messages.map((message) => (
        <Tool
          key={message.id}
          message={message}
          directories={directories}
          isOver
        />
      ))
    }
  </Fold>
);
