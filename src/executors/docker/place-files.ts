import { join } from "node:path";
import * as z from "zod";
import { OWNER_FILE } from "../../contract/link/link.ts";
import { writeDurably } from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { readOwnJson } from "../../kit/files/own-json.ts";
import { loadOrMakeSecret } from "../../kit/files/secret-file.ts";
import { passwdFor, type Wish } from "./container-spec.ts";
import {
  dockerDirectory,
  PASSWD,
  RUN,
  SUPERVISOR,
  TOKEN,
  type PlaceDirectories,
} from "./directories.ts";
import { notUsable } from "./not-usable.ts";
import type { Programs } from "../standalone/programs.ts";

/** What a place was prepared for. Without a directory to work in, one is made for the session in the container's state. It stays as it is for the life of the session. */
const PlaceRecord = z.object({
  image: z.string().min(1),
  cwd: z.string().nullable(),
});
export type PlaceRecord = z.infer<typeof PlaceRecord>;

/** Which container was made last, and who made it. */
const MadeContainer = z.object({ engine: z.string(), container: z.string() });
export type MadeContainer = z.infer<typeof MadeContainer>;

export const writeRecord = async (
  home: string,
  { root, record }: PlaceDirectories,
  content: PlaceRecord,
): Promise<void> => {
  await makeDirectory(dockerDirectory(home));
  await makeDirectory(root);
  await writeDurably(record, `${JSON.stringify(content)}\n`);
};

export const readRecord = ({
  record,
}: PlaceDirectories): Promise<PlaceRecord | null> =>
  readJson(record, PlaceRecord);

export const readMade = ({
  made,
}: PlaceDirectories): Promise<MadeContainer | null> =>
  readJson(made, MadeContainer);

export const writeMade = (
  { made }: PlaceDirectories,
  content: MadeContainer,
): Promise<void> => writeDurably(made, `${JSON.stringify(content)}\n`);

/** Null where it is not there. One that cannot be read is told: whoever went on without it would forget a container. */
const readJson = async <T extends object>(
  path: string,
  schema: z.ZodType<T>,
): Promise<T | null> => {
  const found = await readOwnJson(path, (document) => schema.parse(document));
  if (found === "damaged")
    throw notUsable(
      `${path} is damaged; bring it back from a backup, or end the session`,
    );
  return found === "absent" ? null : found;
};

/** Everything that is mounted, made where it is missing. */
export const prepareFiles = async (
  { root, control, link, state }: PlaceDirectories,
  { user, owner }: Pick<Wish, "user" | "owner">,
): Promise<void> => {
  const inState = [join(state, "agentctl"), join(state, "home")];
  for (const path of [root, control, link, state, ...inState])
    await makeDirectory(path);
  await writeDurably(join(control, OWNER_FILE), `${owner}\n`);
  await writeDurably(join(control, PASSWD), passwdFor(user), 0o644);
};

export const loadToken = ({ control }: PlaceDirectories): Promise<string> =>
  loadOrMakeSecret(join(control, TOKEN));

/** Says what the loop is, and what it starts next. */
export const chooseProgram = async (
  { control }: PlaceDirectories,
  { build, runtime }: Programs,
  supervisor: string,
): Promise<void> => {
  await writeDurably(join(control, SUPERVISOR), supervisor);
  await writeDurably(join(control, RUN), `${build}\n${runtime}\n`);
};
