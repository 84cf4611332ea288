import { UsageError } from "../parsing/usage-error.ts";

const PER_MINUTE = { s: 1 / 60, m: 1, h: 60 } as const;

/** `90s`, `45m`, `2h`; a number alone is minutes. */
export const minutesIn = (option: string, given: string): number => {
  const [, amount = "0", unit = "m"] = /^(\d{1,6})([smh])?$/.exec(given) ?? [];
  if (Number(amount) === 0 || !isUnit(unit))
    throw new UsageError(
      `${option} must be a time such as 90s, 45m or 2h, not "${given}".`,
    );
  return Number(amount) * PER_MINUTE[unit];
};

const isUnit = (unit: string): unit is keyof typeof PER_MINUTE =>
  Object.hasOwn(PER_MINUTE, unit);
