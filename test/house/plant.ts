/** Every import that the table forbids, in every form there is. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path/posix";
import { isAmong, isTestCode, roomOf, rooms, type Room } from "./rooms.ts";
import type { Tree, Written } from "./tree.ts";

const forms = {
  import: (to: string) => `import * as planted from "${to}";\nvoid planted;\n`,
  bare: (to: string) => `import "${to}";\n`,
  export: (to: string) => `export * from "${to}";\n`,
  dynamic: (to: string) => `export const planted = () => import("${to}");\n`,
  type: (to: string) => `import type * as planted from "${to}";\n`,
} as const;
type Form = keyof typeof forms;

/** A planting per forbidden (room → file) pair and form; each from the room's own folder and from deep inside it. */
export const forbiddenPlantings = (tree: Tree): Written[] =>
  Object.entries(rooms).flatMap(([name, room]) =>
    examples(tree).flatMap((target) =>
      (Object.keys(forms) as Form[])
        .filter((form) => isForbidden(name, room, target, form))
        .flatMap((form) => plantings(name, target, form)),
    ),
  );

/** From each room the files that someone may see singly, and one that nobody may. */
const examples = (tree: Tree): string[] => {
  const single = Object.values(rooms)
    .flatMap((room) => [...room.sees, ...(room.seesTypes ?? [])])
    .filter((place) => place.includes("/"));
  const files = [...tree.keys()].filter((path) => !isTestCode(path));
  const ordinary = Object.keys(rooms).flatMap((name) =>
    files
      .filter((path) => roomOf(path) === name && !isAmong(path, single))
      .slice(0, 1),
  );
  return [...files.filter((path) => isAmong(path, single)), ...ordinary];
};

const isForbidden = (
  name: string,
  room: Room,
  target: string,
  form: Form,
): boolean =>
  roomOf(target) !== name &&
  !isAmong(target, room.sees) &&
  !(form === "type" && isAmong(target, room.seesTypes ?? [])) &&
  !(form === "dynamic" && isAmong(target, room.starts ?? []));

const plantings = (name: string, target: string, form: Form): Written[] => {
  const label = `planted-${target.replaceAll(/[/.]/g, "-")}-${form}.ts`;
  // `serve` and `bin` are single files: the planting becomes such a room's folder.
  return [`src/${name}/${label}`, `src/${name}/a/b/c/${label}`].map((path) => ({
    path,
    source: forms[form](toward(path, target)),
  }));
};

const toward = (from: string, to: string): string => {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
};

export const plant = async (
  root: string,
  { path, source }: Written,
): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), source);
};
