/** What the agent offers to choose from, as ACP shows it. */
import type {
  SessionConfigOption,
  SessionModeState,
} from "@agentclientprotocol/sdk";
import type { Offered, OfferedOption } from "../../contract/agent/offered.ts";
import type { ChangeSessionRequest } from "../../contract/api/change-request.ts";

export interface Choices {
  modes?: SessionModeState;
  configOptions?: SessionConfigOption[];
}

export const choicesOf = (offered: Offered | null): Choices => {
  if (offered === null) return {};
  const modes = modesOf(offered);
  return {
    ...(modes !== null && { modes }),
    ...(offered.options.length > 0 && {
      configOptions: offered.options.map(optionOf),
    }),
  };
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
  const options = offered.options.map(optionOf);
  const modes = modesOf(offered);
  return modes === null || hasModeOption(offered)
    ? options
    : [...options, modeOption(modes)];
};

const MODE = "mode";

const hasModeOption = ({ options }: Offered): boolean =>
  options.some(({ id, category }) => id === MODE || category === MODE);

const modeOption = (modes: SessionModeState): SessionConfigOption => ({
  type: "select",
  id: MODE,
  name: "Mode",
  category: MODE,
  currentValue: modes.currentModeId,
  options: modes.availableModes.map(({ id, name, description }) => ({
    value: id,
    name,
    ...(description != null && { description }),
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

/** What to change in the session when somebody sets an option. */
export const changeFor = (
  offered: Offered | null,
  configId: string,
  value: string | boolean,
): ChangeSessionRequest =>
  offered !== null && configId === MODE && !hasModeOption(offered)
    ? { mode: String(value) }
    : { options: { [configId]: String(value) } };
