/** A row with what it does not say itself left at its usual. */
import type {
  Standing,
  StandingAction,
  StandingButton,
  StandingFacts,
  StandingKind,
} from "./standing-row.ts";

export const button = (
  label: string,
  does: StandingAction,
  primary = false,
): StandingButton => ({ label, does, primary });

export const row = (
  kind: StandingKind,
  facts: Pick<StandingFacts, "agentName">,
  rest: Partial<Omit<Standing, "kind">>,
): Standing => ({
  kind,
  tone: "plain",
  title: null,
  quote: null,
  text: null,
  buttons: [],
  box: { text: `Write to ${facts.agentName}`, send: "Send" },
  hasPanels: true,
  ...rest,
});
