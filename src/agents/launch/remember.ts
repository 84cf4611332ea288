/** More than there are agents. Callers name the places to look at, so what is remembered of them must have an end. */
const MAX_REMEMBERED = 256;

/** Puts a value into a map that holds only the newest. */
export const remember = <V>(
  map: Map<string, V>,
  key: string,
  value: V,
): void => {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MAX_REMEMBERED) return;
    map.delete(oldest);
  }
};
