import { readFile } from "node:fs/promises";
import { hasErrno } from "../../../kit/errno.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import { MOUNTINFO, parseMountinfo } from "../../../kit/files/mountinfo.ts";

/** What is mounted where: path → kind of file system. */
export type Mounts = ReadonlyMap<string, string>;

/** Linux lists its mounts. Elsewhere the directory of devices is all that is known. */
export const findMounts = async (): Promise<Mounts> => {
  try {
    return mountsIn(await readFile(MOUNTINFO, "utf8"));
  } catch (error) {
    if (!hasErrno(error, "ENOENT", "EACCES")) throw error;
    return new Map([["/dev", "devfs"]]);
  }
};

/** From the text of `mountinfo`: of several mounts at one path the last is the one that is seen. */
export const mountsIn = (mountinfo: string): Mounts =>
  new Map(parseMountinfo(mountinfo).map(({ path, kind }) => [path, kind]));

/** Views of the kernel, which hold no files: reading there can take things away, or never end. */
export const pseudoMounts = (mounts: Mounts): Mounts =>
  new Map([...mounts].filter(([, kind]) => PSEUDO.has(kind)));

/** The kind of such a view that a path lies in; null when it lies on a disk. */
export const pseudoKindAt = (mounts: Mounts, path: string): string | null => {
  const [nearest] = [...mounts]
    .filter(([mount]) => isInside(path, mount))
    .sort(([a], [b]) => b.length - a.length);
  const kind = nearest?.[1] ?? "";
  return PSEUDO.has(kind) ? kind : null;
};

const PSEUDO: ReadonlySet<string> = new Set([
  "autofs",
  "binfmt_misc",
  "bpf",
  "cgroup",
  "cgroup2",
  "configfs",
  "debugfs",
  "devfs",
  "devpts",
  "devtmpfs",
  "efivarfs",
  "fuse.gvfsd-fuse",
  "fuse.lxcfs",
  "fuse.portal",
  "fusectl",
  "hugetlbfs",
  "mqueue",
  "nsfs",
  "proc",
  "pstore",
  "rpc_pipefs",
  "securityfs",
  "selinuxfs",
  "sysfs",
  "tracefs",
]);
