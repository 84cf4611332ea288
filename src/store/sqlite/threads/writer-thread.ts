/** The one thread that writes. Its flushes block it and nobody else; what arrives meanwhile is committed together next. */
import { logFolding } from "../writing/fold-log.ts";
import { openForWriting } from "../base/connection.ts";
import { damagedLog } from "../base/failure.ts";
import { fillOlder } from "../opening/fill.ts";
import { groupCommit } from "../writing/group.ts";
import { inPlace } from "../writing/in-place.ts";
import { hasReadableLog } from "../base/log-header.ts";
import { indexDirectories } from "../opening/index-directories.ts";
import { indexLookups } from "../opening/index-lookups.ts";
import { isLarge, lookThrough } from "../opening/look-through.ts";
import { migrate } from "../opening/migrate.ts";
import { fills, migrations } from "../opening/migrations/list.ts";
import { ownershipWrites } from "../tables/ownership.ts";
import { isUnsealed, seal } from "../opening/seal.ts";
import { serveThread } from "./serve-thread.ts";
import type { Writes } from "../writing/writes.ts";

/** Bounds how long the first write of a group waits for the last. */
const MAX_IN_GROUP = 512;

serveThread<Writes>(({ path, watchedPaths }) => {
  if (!hasReadableLog(path)) throw damagedLog(path);
  const db = openForWriting(path);
  const migrated = migrate(db, migrations, new Date().toISOString());
  const foldLogWhenDue = logFolding(db);
  if (isUnsealed(db)) seal(db, foldLogWhenDue);
  fillOlder(db, fills, foldLogWhenDue);
  indexDirectories(db);
  indexLookups(db);
  const commit = inPlace(
    groupCommit(db, path),
    [...watchedPaths, path, `${path}-wal`],
    ownershipWrites(db).current,
  );
  return {
    migrated,
    damage: isLarge(path) ? null : lookThrough(db),
    most: MAX_IN_GROUP,
    answer: (requests, reply) => {
      reply(commit(requests));
      foldLogWhenDue();
    },
    close: () => db.close(),
  };
});
