/** The one thread that writes. Its flushes block it and nobody else; what arrives meanwhile is committed together next. */
import { checkpoints } from "./checkpoint.ts";
import { openForWriting } from "./connection.ts";
import { damagedLog } from "./failure.ts";
import { fillOlder } from "./fill.ts";
import { groupCommit } from "./group.ts";
import { inPlace } from "./in-place.ts";
import { hasReadableLog } from "./log-header.ts";
import { isLarge, lookThrough } from "./look-through.ts";
import { migrate } from "./migrate.ts";
import { fills } from "./migrations/fills.ts";
import { migrations } from "./migrations/list.ts";
import { ownershipWrites } from "./ownership.ts";
import { isUnsealed, seal } from "./seal.ts";
import { serveThread } from "./serve-thread.ts";
import type { Writes } from "./writes.ts";

/** Bounds how long the first write of a group waits for the last. */
const MOST_IN_GROUP = 512;

serveThread<Writes>(({ path, beside }) => {
  if (!hasReadableLog(path)) throw damagedLog(path);
  const db = openForWriting(path);
  const migrated = migrate(db, migrations, new Date().toISOString());
  const checkpointWhenDue = checkpoints(db);
  if (isUnsealed(db)) seal(db, checkpointWhenDue);
  fillOlder(db, fills, checkpointWhenDue);
  const commit = inPlace(
    groupCommit(db, path),
    [...beside, path, `${path}-wal`],
    ownershipWrites(db).current,
  );
  return {
    migrated,
    damage: isLarge(path) ? null : lookThrough(db),
    most: MOST_IN_GROUP,
    answer: (requests, reply) => {
      reply(commit(requests));
      checkpointWhenDue();
    },
    close: () => db.close(),
  };
});
