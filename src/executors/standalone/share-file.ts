import { constants, copyFile, link, open } from "node:fs/promises";

/** The same file once more, as cheaply as the file system can: shared blocks, else a hard link, else a copy. */
export const shareFile = async (from: string, to: string): Promise<void> => {
  const ways = [
    () => copyFile(from, to, constants.COPYFILE_FICLONE_FORCE),
    () => link(from, to),
  ];
  for (const way of ways) {
    const done = await way().then(
      () => true,
      () => false,
    );
    if (done) return;
  }
  await copyFile(from, to);
  await using copy = await open(to);
  await copy.sync();
};
