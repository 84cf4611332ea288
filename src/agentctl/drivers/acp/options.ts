import type { PermissionOption } from "../../../contract/agent/permission.ts";

/** What a person is offered, and what the agent calls it. */
export interface OfferedAnswer extends PermissionOption {
  named: string;
}

const MAX_OPTIONS = 100;
const FIT = /^[!-~]{1,200}$/;

/** Agents name options as they like; one that could not be typed or sent back gets a plain name here. */
export const offeredOptions = (
  options: readonly { optionId: string; name: string; kind: string }[],
): OfferedAnswer[] =>
  options.slice(0, MAX_OPTIONS).map(({ optionId, name, kind }, i) => ({
    id: FIT.test(optionId) ? optionId : `option-${i + 1}`,
    name,
    kind,
    named: optionId,
  }));

/** The agent's own name for what was chosen. */
export const chosen = (
  options: readonly OfferedAnswer[],
  id: string | null,
): string | null =>
  id === null ? null : (options.find((each) => each.id === id)?.named ?? id);
