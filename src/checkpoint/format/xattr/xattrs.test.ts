import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { aclOf } from "../../fixtures/xattr.ts";
import { modeWithoutAcl } from "./posix-acl.ts";
import {
  ACL_ACCESS,
  CAPABILITY,
  decodeXattrs,
  encodeXattrs,
  isIncomplete,
  MAX_XATTR_BYTES,
  NO_XATTRS,
  withoutCapability,
  type Xattr,
} from "./xattrs.ts";

const whole = (attributes: readonly Xattr[]) => ({
  attributes,
  incomplete: false,
  unknownAcl: false,
});

test("[CHK-41] attributes are the same after they were stored, and nothing else is taken for some", () => {
  const name = fc.constantFrom("user.a", "user.b", ACL_ACCESS, CAPABILITY);
  const value = fc
    .uint8Array({ maxLength: 300 })
    .map((bytes) => Buffer.from(bytes).toString("latin1"));
  const attributes = fc
    .uniqueArray(
      fc.tuple(name, value).map(([name, value]) => ({ name, value })),
      { selector: (it) => it.name },
    )
    .map((list) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  fc.assert(
    fc.property(attributes, fc.nat(5000), fc.nat(255), (list, at, byte) => {
      const stored = encodeXattrs(whole(list));
      if (list.length === 0) return stored === "";
      assert.deepEqual(decodeXattrs(stored), whole(list));
      assert.ok(!isIncomplete(stored));
      // Damaged at any place it is another one, or none.
      const place = at % stored.length;
      const damaged = `${stored.slice(0, place)}${String.fromCodePoint(byte)}${stored.slice(place + 1)}`;
      try {
        return encodeXattrs(decodeXattrs(damaged)) === damaged;
      } catch (error) {
        assert.equal(
          error instanceof Error && "code" in error && error.code,
          "damaged",
        );
        return true;
      }
    }),
  );
});

test("[CHK-41] names that are out of order, twice there or none of ours are no attributes", () => {
  const two = encodeXattrs(
    whole([
      { name: "user.a", value: "1" },
      { name: "user.b", value: "2" },
    ]),
  );
  for (const wrong of [
    "",
    "\u0002\0",
    "\u0001\u0004",
    two.replace("user.b", "user.a"),
    two.replace("user.a", "user.c"),
    two.replace("user.a", "root.a"),
    two.slice(0, -1),
    encodeXattrs(whole([{ name: "trusted.x", value: "" }])),
  ])
    assert.throws(() => decodeXattrs(wrong), { code: "damaged" });
  assert.deepEqual(decodeXattrs(NO_XATTRS), whole([]));
});

test("[CHK-41] what does not fit goes, users' first, and the rest says so", () => {
  const acl = { name: ACL_ACCESS, value: "acl" };
  const large = { name: "user.large", value: "x".repeat(MAX_XATTR_BYTES) };
  const users = encodeXattrs(whole([acl, large]));
  assert.deepEqual(decodeXattrs(users), {
    attributes: [acl],
    incomplete: true,
    unknownAcl: false,
  });
  assert.ok(isIncomplete(users));
  const all = encodeXattrs(whole([{ ...acl, value: "x".repeat(70_000) }]));
  assert.deepEqual(decodeXattrs(all), {
    attributes: [],
    incomplete: true,
    unknownAcl: true,
  });
});

test("[CHK-42] without its ACL a file lets its group do what it could, and never what the mask says", () => {
  const acl = (group: number, mask: number): string =>
    aclOf({ owner: 6, user: 7, group, mask, other: 0 }).toString("latin1");
  assert.equal(modeWithoutAcl(0o670, acl(0o4, 0o7)), 0o640);
  assert.equal(modeWithoutAcl(0o4770, acl(0o7, 0o5)), 0o4750);
  assert.equal(modeWithoutAcl(0o670, acl(0, 0o7)), 0o600);
  assert.equal(modeWithoutAcl(0o777, null), 0o707);
  assert.equal(modeWithoutAcl(0o777, "garbage"), 0o707);
});

test("[CHK-42] capabilities can be taken out, and nothing else goes with them", () => {
  const user = { name: "user.a", value: "security.capability" };
  const both = encodeXattrs(whole([{ name: CAPABILITY, value: "x" }, user]));
  assert.deepEqual(decodeXattrs(withoutCapability(both)), whole([user]));
  const only = encodeXattrs(whole([{ name: CAPABILITY, value: "x" }]));
  assert.equal(withoutCapability(only), "");
});
