/** Names of places, without schemas: the threads of the database need them, and load nothing else of the contract. */

/** What a place is named by; `PlaceRef` is its schema. */
interface Named {
  kind: string;
  id: string;
}

/** The machine that the server runs on. Journals of releases that did not name a place mean this one. */
export const LOCAL: Readonly<Named> = { kind: "standalone", id: "local" };

/** The kind of places on other hosts; their ids are the names that `config.json` gives them. */
export const KIND_REMOTE = "remote";

/** The kind of places on other hosts that are reached by the OpenSSH client; their ids are names of `config.json`, too. */
export const KIND_SSH = "ssh";

/** The kind of places in containers; each is made for a session and has its id. */
export const KIND_DOCKER = "docker";

export const KIND = /^[a-z-]{1,100}$/;
export const MAX_ID = 200;

/** Names a place among all places. A kind holds no slash. */
export const placeKey = ({ kind, id }: Named): string => `${kind}/${id}`;

/** The place of a key; null when it is none. */
export const placeOfKey = (key: string): Named | null => {
  const at = key.indexOf("/");
  const [kind, id] = [key.slice(0, Math.max(at, 0)), key.slice(at + 1)];
  return KIND.test(kind) && id !== "" && id.length <= MAX_ID
    ? { kind, id }
    : null;
};

export const isSamePlace = (a: Named, b: Named): boolean =>
  a.kind === b.kind && a.id === b.id;

/** Whether a place is on another host, which `config.json` names. */
export const isOtherHost = ({ kind }: Pick<Named, "kind">): boolean =>
  kind === KIND_REMOTE || kind === KIND_SSH;

export const isLocal = (place: Named): boolean => isSamePlace(place, LOCAL);
