import assert from "node:assert/strict";
import { test } from "node:test";
import { mountsIn, pseudoKindAt, pseudoMounts } from "./pseudo-mounts.ts";

test("[CHK-4] views of the kernel are told from disks, whatever their paths hold", () => {
  const mounts = mountsIn(
    [
      "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
      "22 27 0:21 / /proc rw,relatime shared:5 - proc proc rw",
      "23 27 0:22 / /srv/a\\040b rw - sysfs sysfs rw",
      "24 27 0:23 / /covered rw - sysfs sysfs rw",
      "25 24 0:24 / /covered rw - tmpfs tmpfs rw",
      "26 27 0:6 / /dev rw - devtmpfs devtmpfs rw",
      "28 26 0:25 / /dev/shm rw - tmpfs tmpfs rw",
      "",
    ].join("\n"),
  );
  assert.deepEqual(
    [...pseudoMounts(mounts)],
    [
      ["/proc", "proc"],
      ["/srv/a b", "sysfs"],
      ["/dev", "devtmpfs"],
    ],
  );
  assert.equal(pseudoKindAt(mounts, "/proc/1/fd"), "proc");
  assert.equal(pseudoKindAt(mounts, "/dev/shm/work"), null);
  assert.equal(pseudoKindAt(mounts, "/proceedings"), null);
});
