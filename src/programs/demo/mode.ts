import {
  RequestError,
  type SessionModeState,
} from "@agentclientprotocol/sdk/unstable";

/** In `read-only` it writes no files and runs no commands. */
export type Mode = "work" | "read-only";

const names: Readonly<Record<Mode, string>> = {
  work: "Work",
  "read-only": "Read only",
};

const isMode = (id: string): id is Mode => Object.hasOwn(names, id);

export const modeOf = (id: string): Mode => {
  if (isMode(id)) return id;
  throw RequestError.invalidParams({}, `there is no mode ${id}`);
};

export const modesWith = (current: Mode): SessionModeState => ({
  currentModeId: current,
  availableModes: Object.entries(names).map(([id, name]) => ({ id, name })),
});
