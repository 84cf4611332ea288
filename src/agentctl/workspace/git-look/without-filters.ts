/** Settings that switch off every filter that a repository, or the person, has. Pure. */
const OF_FILTER = /^filter\.(.+)\.[^.]+$/s;

/** By the names of all settings. A filter may be called anything, and an option of git ends its name at the first `=`. */
export const withoutFilters = (
  settings: readonly string[],
): { options: string[]; env: Record<string, string> } => {
  const filters = new Set(
    settings.flatMap((name) => OF_FILTER.exec(name)?.[1] ?? []),
  );
  const off = [...filters].flatMap((filter) =>
    Object.entries(OFF).map(([name, value]) => ({
      key: `filter.${filter}.${name}`,
      value,
    })),
  );
  const odd = off.filter(({ key }) => key.includes("="));
  const env: Record<string, string> = {};
  for (const [at, { key, value }] of odd.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  if (odd.length > 0) env["GIT_CONFIG_COUNT"] = String(odd.length);
  return {
    options: off
      .filter(({ key }) => !key.includes("="))
      .flatMap(({ key, value }) => ["-c", `${key}=${value}`]),
    env,
  };
};

const OFF = { clean: "", smudge: "", process: "", required: "false" };
