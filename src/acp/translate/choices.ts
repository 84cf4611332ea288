/** What the agent offers to choose from, as ACP shows it. */
import type {
  SessionConfigOption,
  SessionModeState,
} from "@agentclientprotocol/sdk";
import {
  type Choices as ListOfChoices,
  type Offered,
  type OfferedOption,
  optionFor,
} from "../../contract/agent/offered.ts";
import type { ChangeSessionRequest } from "../../contract/api/change-request.ts";

export interface Choices {
  modes?: SessionModeState;
  configOptions?: SessionConfigOption[];
}

export const choicesOf = (offered: Offered | null): Choices => {
  if (offered === null) return {};
  const modes = modesOf(offered);
  const configOptions = optionsOf(offered);
  return {
    ...(modes !== null && { modes }),
    ...(configOptions.length > 0 && { configOptions }),
  };
};

/** Older agents have a list of models instead of an option. */
const optionsOf = (offered: Offered): SessionConfigOption[] => {
  const options = offered.options.map(optionOf);
  const { models } = offered;
  return models?.current == null || optionFor(offered, "model") !== undefined
    ? options
    : [...options, listed("model", "Model", models)];
};

/** Null where the agent has none, or does not say which is in force. */
const modesOf = ({ modes }: Offered): SessionModeState | null => {
  if (modes === null || modes.current === null) return null;
  return {
    currentModeId: modes.current,
    availableModes: modes.available.map(({ id, name, description }) => ({
      id,
      name,
      ...(description !== null && { description }),
    })),
  };
};

/**
 * All choices as options, for a session that was announced without any: an update can tell options, but not which modes there
 * are. Modes are one more option then.
 */
export const lateOptions = (offered: Offered): SessionConfigOption[] => {
  const options = optionsOf(offered);
  const { modes } = offered;
  return modes?.current == null || optionFor(offered, "mode") !== undefined
    ? options
    : [...options, listed("mode", "Mode", modes)];
};

const listed = (
  id: "mode" | "model",
  name: string,
  { current, available }: ListOfChoices,
): SessionConfigOption => ({
  type: "select",
  id,
  name,
  category: id,
  currentValue: current ?? "",
  options: available.map((each) => ({
    value: each.id,
    name: each.name,
    ...(each.description !== null && { description: each.description }),
  })),
});

const optionOf = (option: OfferedOption): SessionConfigOption => {
  const { id, name, description, category, current, values } = option;
  const about = {
    id,
    name,
    ...(description !== null && { description }),
    ...(category !== null && { category }),
  };
  if (option.type === "boolean")
    return { ...about, type: "boolean", currentValue: current === "true" };
  return {
    ...about,
    type: "select",
    currentValue: current,
    options: values.map((each) => ({
      value: each.value,
      name: each.name,
      ...(each.description !== null && { description: each.description }),
    })),
  };
};

/** What to change in the session when somebody sets an option: some are lists of the agent that we show as options. */
export const changeFor = (
  offered: Offered | null,
  id: string,
  value: string | boolean,
): ChangeSessionRequest => {
  const isOurs =
    (id === "mode" || id === "model") &&
    offered !== null &&
    optionFor(offered, id) === undefined;
  return isOurs
    ? { [id]: String(value) }
    : { options: { [id]: String(value) } };
};
