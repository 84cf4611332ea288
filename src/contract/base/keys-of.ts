/** The keys of a closed object. `Object.keys` says `string[]` because objects may have more than their type tells; these do not. */
export const keysOf = <T extends object>(
  closed: T,
): [keyof T, ...(keyof T)[]] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where a closed object vouches for its keys
  Object.keys(closed) as [keyof T, ...(keyof T)[]];
