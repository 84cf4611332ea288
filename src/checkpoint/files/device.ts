/** What the number of a device says, in the layout of Linux. It may be wider than what bit operators take. */

/**
 * Whether it belongs to a disk of this machine. Its file system takes all times from our clock. Others have no driver in
 * their number: network file systems, memory, and file systems that are stacked on another one.
 */
export const isOnDisk = (dev: number): boolean =>
  process.platform !== "linux" || majorOf(dev) !== 0;

/** As the kernel writes it: `fe:00`. */
export const deviceName = (dev: number): string =>
  [majorOf(dev), minorOf(dev)]
    .map((part) => part.toString(16).padStart(2, "0"))
    .join(":");

const majorOf = (dev: number): number =>
  (Math.floor(dev / 2 ** 8) & 0xfff) + Math.floor(dev / 2 ** 44) * 2 ** 12;

const minorOf = (dev: number): number =>
  (dev & 0xff) + (Math.floor(dev / 2 ** 20) & 0xffffff) * 2 ** 8;
