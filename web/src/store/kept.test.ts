import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStorage } from "../fixtures/memory-shelf.ts";
import { aSession, at, NOW, sessionId } from "../fixtures/samples.ts";
import { Drafts } from "./drafts.ts";
import { isUnseen, Seen } from "./seen.ts";
import { shelfOf } from "./storage.ts";

const draftsOver = (storage: MemoryStorage): Drafts => {
  let keys = 0;
  let time = NOW;
  return new Drafts({
    shelf: shelfOf(() => storage),
    now: () => time++,
    newKey: () => `key-${++keys}`,
  });
};

test("[PAG-38] a draft survives the page, with the key under which it will be sent", () => {
  const storage = new MemoryStorage();
  const first = draftsOver(storage);
  assert.equal(first.write("ses_1", "Fix the uploader"), true);
  const draft = draftsOver(storage).read("ses_1");
  assert.equal(draft?.text, "Fix the uploader");
  assert.equal(draft?.key, "key-1");
  assert.equal(draftsOver(storage).read("ses_2"), null);
});

test("[PAG-38] the same words keep their key, other words are another prompt", () => {
  const drafts = draftsOver(new MemoryStorage());
  drafts.write("ses_1", "Fix it");
  drafts.write("ses_1", "Fix it");
  assert.equal(drafts.read("ses_1")?.key, "key-1");
  drafts.write("ses_1", "Fix it all");
  assert.equal(drafts.read("ses_1")?.key, "key-2");
});

test("[PAG-38] only what the server has taken goes", () => {
  const drafts = draftsOver(new MemoryStorage());
  drafts.write("ses_1", "Fix it");
  const sent = drafts.read("ses_1")?.key ?? "";
  drafts.write("ses_1", "And then the docs");
  drafts.taken("ses_1", sent);
  assert.equal(drafts.read("ses_1")?.text, "And then the docs");
  drafts.taken("ses_1", drafts.read("ses_1")?.key ?? "");
  assert.equal(drafts.read("ses_1"), null);
});

test("[PAG-39] where storage is forbidden a draft is held until the page is closed", () => {
  const storage = new MemoryStorage();
  storage.isForbidden = true;
  const drafts = draftsOver(storage);
  assert.equal(drafts.write("ses_1", "Fix it"), false);
  assert.equal(drafts.read("ses_1")?.text, "Fix it");
  const none = new Drafts({
    shelf: shelfOf(() => {
      throw new DOMException("forbidden", "SecurityError");
    }),
    now: () => NOW,
    newKey: () => "key",
  });
  assert.equal(none.write("ses_1", "Fix it"), false);
  assert.equal(none.read("ses_1")?.text, "Fix it");
});

test("[PAG-39] where storage is full, the oldest drafts make room for the newest", () => {
  const storage = new MemoryStorage(250);
  const drafts = draftsOver(storage);
  drafts.write("ses_1", "a".repeat(60));
  drafts.write("ses_2", "b".repeat(60));
  assert.equal(drafts.write("ses_3", "c".repeat(120)), true);
  assert.equal(drafts.read("ses_1"), null);
  assert.equal(drafts.read("ses_3")?.text, "c".repeat(120));
});

test("[PAG-39] no more than 200 drafts are kept", () => {
  const storage = new MemoryStorage();
  const drafts = draftsOver(storage);
  for (let i = 0; i < 205; i++) drafts.write(`ses_${i}`, "text");
  assert.equal(storage.length, 200);
  assert.equal(drafts.read("ses_4"), null);
  assert.equal(drafts.read("ses_5")?.text, "text");
});

test("[PAG-40] a turn is unseen until somebody looks, in whatever tab", () => {
  const storage = new MemoryStorage();
  const [here, there] = [1, 2].map(
    () =>
      new Seen(
        shelfOf(() => storage),
        NOW,
      ),
  );
  assert.ok(here && there);
  const session = aSession({ created_at: at(1000), turn_count: 1 });
  assert.equal(isUnseen(session, here.get()), true);
  there.mark(session);
  here.reload();
  assert.equal(isUnseen(session, here.get()), false);
  assert.equal(isUnseen({ ...session, turn_count: 2 }, here.get()), true);
  here.mark(aSession({ id: sessionId(2), turn_count: 3 }));
  there.reload();
  assert.equal(isUnseen(session, there.get()), false);
  assert.equal(there.get().turns.get(sessionId(2)), 3);
});

test("[PAG-40] what happened before this browser first saw the page is not unseen, what happens then is", () => {
  const seen = new Seen(
    shelfOf(() => new MemoryStorage()),
    NOW,
  );
  const old = aSession({ created_at: at(-1000), turn_count: 7 });
  assert.equal(isUnseen(old, seen.get()), false);
  seen.works(old);
  assert.equal(isUnseen(old, seen.get()), false);
  assert.equal(isUnseen({ ...old, turn_count: 8 }, seen.get()), true);
});

test("[PAG-40] no more than 2,000 sessions are remembered", () => {
  const storage = new MemoryStorage();
  const seen = new Seen(
    shelfOf(() => storage),
    NOW,
  );
  for (let i = 1; i <= 2001; i++)
    seen.mark({ id: sessionId(i), turn_count: 1 });
  assert.equal(seen.get().turns.size, 2000);
  assert.equal(seen.get().turns.has(sessionId(1)), false);
});

test("[PAG-40] what cannot be read is taken for nothing", () => {
  const storage = new MemoryStorage();
  storage.setItem("reprise.seen", "{");
  storage.setItem("reprise.draft.ses_1", '{"text":1}');
  const seen = new Seen(
    shelfOf(() => storage),
    NOW,
  );
  assert.equal(seen.get().turns.size, 0);
  assert.equal(draftsOver(storage).read("ses_1"), null);
});
