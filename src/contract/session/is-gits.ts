/** What git keeps for itself says nothing to a reader: it counts as no file. */
export const isGits = (path: string): boolean =>
  path.split("/").includes(".git");
