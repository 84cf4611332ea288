/**
 * Whether a device number belongs to a disk of this machine. Its file system takes all times from our clock. Others have
 * a device number without a driver: network and shared file systems, and those that are stacked on another one.
 */
export const isOnDisk = (dev: number): boolean =>
  process.platform !== "linux" || majorOf(dev) !== 0;

/** The bits as glibc lays them out. The number may be wider than what bit operators take. */
const majorOf = (dev: number): number =>
  (Math.floor(dev / 2 ** 8) & 0xfff) + Math.floor(dev / 2 ** 44) * 2 ** 12;
