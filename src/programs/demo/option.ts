import {
  RequestError,
  type SessionConfigOption,
} from "@agentclientprotocol/sdk/unstable";

/** How it repeats what it is told. */
export type Voice = "plain" | "loud";

const names: Readonly<Record<Voice, string>> = {
  plain: "As it was said",
  loud: "In capitals",
};

const isVoice = (value: unknown): value is Voice =>
  typeof value === "string" && Object.hasOwn(names, value);

const ID = "voice";

export const voiceOf = (id: string, value: unknown): Voice => {
  if (id !== ID)
    throw RequestError.invalidParams({}, `there is no option ${id}`);
  if (isVoice(value)) return value;
  throw RequestError.invalidParams({}, `${ID} cannot be ${String(value)}`);
};

export const optionsWith = (currentValue: Voice): SessionConfigOption[] => [
  {
    id: ID,
    name: "Voice",
    description: "How it repeats what it is told",
    type: "select",
    currentValue,
    options: Object.entries(names).map(([value, name]) => ({ value, name })),
  },
];
