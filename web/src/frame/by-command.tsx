import { EmptyState } from "../kit/empty-state.tsx";
import { TopBar } from "./top-bar.tsx";

/** A place that the page does not show yet: the command that does. */
export const ByCommand = ({
  title,
  command,
}: {
  title: string;
  command: string;
}) => (
  <>
    <TopBar title={title} />
    <EmptyState title="Not on this page yet" icon="terminal">
      In a terminal: <code>{command}</code>
    </EmptyState>
  </>
);
