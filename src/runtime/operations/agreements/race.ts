import {
  keptName,
  type Race,
  raceAgreement,
  runName,
  shapeIn,
  trashedName,
} from "../../../contract/api/race-route.ts";
import { isSessionId } from "../../../contract/base/id.ts";

/** Reads a race by the values of its agreements. Null where there is none of this name. */
export const raceOf = async (
  name: string,
  valueOf: (agreement: string) => Promise<string | null>,
): Promise<Race | null> => {
  const value = await valueOf(raceAgreement(name));
  const shape = value === null ? null : shapeIn(value);
  if (shape === null) return null;
  const [kept, sessions] = await Promise.all([
    valueOf(keptName(name)),
    Promise.all(
      shape.agents.map((_, index) => valueOf(runName(name, index + 1))),
    ),
  ]);
  const runs = shape.agents.map((agent, index) => {
    const id = sessions[index] ?? "";
    const session_id = isSessionId(id) ? id : null;
    return { number: index + 1, agent, session_id };
  });
  if (!runs.some(({ number }) => String(number) === kept))
    return { name, shape, runs, kept: null, carried_out: false };
  const trashed = await valueOf(trashedName(name));
  return {
    name,
    shape,
    runs,
    kept: Number(kept),
    carried_out: trashed !== null,
  };
};
