import { Button } from "../kit/button.tsx";
import { Answers, Question } from "../overlay/question.tsx";

/** Asked where something would end with the shell. */
const CloseQuestion = ({
  name,
  running,
  onClose,
  onCancel,
}: {
  name: string;
  running: string;
  onClose: () => void;
  onCancel: () => void;
}) => (
  <Question title={`Close ${name}?`} onClose={onCancel}>
    <p>{running} It is ended, and what the terminal shows is forgotten.</p>
    <Answers cancel="Keep it">
      <Button kind="danger" onClick={onClose}>
        Close terminal
      </Button>
    </Answers>
  </Question>
);

export default CloseQuestion;
