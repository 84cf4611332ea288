/**
 * The name of a build is its version and what it is made of: `1.2.3-0a1b2c3d`. Of two versions the higher one is newer;
 * within one version whoever comes later brings the newer build, as a clone does whose sources were changed.
 */
export const isNewer = (ours: string, theirs: string): boolean => {
  const us = numbersOf(ours);
  const them = numbersOf(theirs);
  // Somebody started it by hand: it is not ours to replace.
  if (us === null || them === null) return false;
  for (const [at, number] of us.entries())
    if (number !== them[at]) return number > (them[at] ?? 0);
  return ours !== theirs;
};

const numbersOf = (build: string): number[] | null => {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:-.*)?-[0-9a-f]{8}$/.exec(build);
  return match === null ? null : match.slice(1, 4).map(Number);
};
