import assert from "node:assert/strict";
import { test } from "node:test";
import { MANIFEST } from "../../../contract/session/archive.ts";
import { readArchive } from "./archive.ts";

test("[API-113] an archive whose manifest nests too deeply is damaged", async () => {
  const deep = `{"version":1,"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  const member = {
    name: MANIFEST,
    bytes: deep.length,
    async *content() {
      yield Buffer.from(deep);
    },
  };
  await assert.rejects(readArchive([member], new Set()), {
    code: "damaged_archive",
    message: /nests too deeply/,
  });
});
