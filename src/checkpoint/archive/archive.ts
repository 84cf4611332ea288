/**
 * A file with checkpoints and whatever belongs to them: a pack like any other, in which one more object, the
 * manifest, says what it is about. docs/spec/checkpoint-format.md, "Archives".
 */
import * as z from "zod";
import { VaultFailure } from "../format/failure.ts";
import { isHash, type Hash } from "../format/hash.ts";

/** From 2 on, directories may say what extended attributes there are. */
const VERSION = 2;
export const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;

const Hash = z.string().refine(isHash);

const Manifest = z.strictObject({
  format: z.literal("reprise-archive"),
  version: z.literal([1, VERSION]),
  /** Checkpoints. */
  roots: z.array(Hash).max(1_000_000),
  /** Named bytes that are no part of a checkpoint. */
  members: z.array(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/),
      size: z.int().nonnegative(),
      pieces: z.array(Hash),
    }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;

export const encodeManifest = (
  roots: readonly Hash[],
  members: Manifest["members"],
): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      format: "reprise-archive",
      version: VERSION,
      roots: [...roots],
      members,
    } satisfies Manifest),
  );

export const decodeManifest = (bytes: Uint8Array): Manifest => {
  const parsed = Manifest.safeParse(parseJson(bytes));
  if (parsed.success) return parsed.data;
  if (VersionOnly.safeParse(parseJson(bytes)).success)
    throw new VaultFailure(
      "unknown_version",
      "the archive is of a release that this one does not know",
    );
  throw new VaultFailure("refused", "the archive does not say what it is");
};

const VersionOnly = z.object({
  format: z.literal("reprise-archive"),
  version: z.int().min(VERSION + 1),
});

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
};
