import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { SessionId } from "../../contract/base/id.ts";
import {
  KIND_DOCKER,
  type PlaceRef,
  placeKey,
} from "../../contract/base/place.ts";
import { DockerConfig } from "../../contract/link/executor-settings.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Executors, Place } from "../../runtime/ports/executors.ts";
import { NobodyThere, SharedPlace } from "../link/shared-place.ts";
import { unavailable } from "../link/unavailable.ts";
import { LABELS } from "./container-spec.ts";
import { findContainer } from "./container.ts";
import { placeDirectories, programsDirectory } from "./directories.ts";
import { parseAddress } from "./engine/address.ts";
import { type Engine, engineAt } from "./engine/engine.ts";
import { notUsable } from "./not-usable.ts";
import { writeRecord } from "./place-files.ts";
import { installPrograms, type Programs } from "../standalone/programs.ts";
import { reachPlace } from "./reached-place.ts";
import type { DockerSettings } from "./settings.ts";
import { whyNotWorkIn } from "./working-directory.ts";

export interface FoundContainer {
  place: PlaceRef;
  container: string;
  /** As the engine names it: `running`, `exited` … */
  state: string;
}

/** Agents in containers: one for each session. */
export interface DockerExecutors extends Executors {
  /** Whether containers can be made here. */
  probe(): Promise<{ available: boolean; why?: string }>;
  /** Says what a session's container is to be made of. Nothing is made before somebody needs it. */
  prepare(
    place: PlaceRef,
    wish: { cwd: string | null; image?: string | undefined },
  ): Promise<void>;
  /** Stops the container and sees it gone, with all that ran in it. */
  end(place: PlaceRef): Promise<void>;
  /** Removes the container and what is kept of the place; the working directory stays. */
  remove(place: PlaceRef): Promise<void>;
  /** All containers of this home. */
  list(): Promise<FoundContainer[]>;
}

/** How long agents may take to end by themselves when their container is stopped. */
const STOP_SECONDS = 10;

export const dockerExecutors = (settings: DockerSettings): DockerExecutors =>
  new Containers(settings);

class Containers implements DockerExecutors {
  readonly #settings: DockerSettings;
  readonly #home: string;
  readonly #config: DockerConfig;
  readonly #address: string;
  readonly #engine: Engine;
  readonly #places = new Map<string, SharedPlace>();
  #programs: Promise<Programs> | null = null;
  #isClosed = false;

  constructor(settings: DockerSettings) {
    this.#settings = settings;
    this.#home = resolve(settings.home);
    this.#config = DockerConfig.parse(settings.config ?? {});
    this.#address = this.#config.engine;
    this.#engine = engineAt(this.#address);
  }

  async obtain(at: PlaceRef, term: number): Promise<Place> {
    return this.#shared(sessionOf(at)).obtain(term);
  }

  async find(at: PlaceRef, term: number): Promise<Place | null> {
    return this.#shared(sessionOf(at)).find(term);
  }

  async leave(at: PlaceRef): Promise<void> {
    await this.#places.get(at.id)?.leave();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#places.values()].map((each) => each.close()));
    await this.#programs?.catch(() => null);
  }

  async probe(): Promise<{ available: boolean; why?: string }> {
    try {
      const { OSType, SecurityOptions } = await this.#engine.about();
      const why =
        OSType === "linux"
          ? whyNoSocket(SecurityOptions ?? [])
          : `it makes containers of ${OSType}`;
      return why === null
        ? { available: true }
        : {
            available: false,
            why: `The engine at ${this.#address} cannot be used: ${why}`,
          };
    } catch (error) {
      if (!(error instanceof RepriseError)) throw error;
      return { available: false, why: error.message };
    }
  }

  async prepare(
    at: PlaceRef,
    { cwd, image }: { cwd: string | null; image?: string | undefined },
  ): Promise<void> {
    const session = sessionOf(at);
    const chosen = image ?? this.#config.image;
    if (chosen === undefined)
      throw notUsable(
        "No image is named for the container: name one, or set one in `docker` of config.json",
      );
    const engine = parseAddress(this.#address);
    const socket = engine?.kind === "socket" ? engine.path : null;
    const why =
      cwd === null ? null : whyNotWorkIn(cwd, { home: this.#home, socket });
    if (why !== null) throw notUsable(`${cwd} ${why}`);
    const directories = placeDirectories(this.#home, session);
    await writeRecord(this.#home, directories, { image: chosen, cwd });
  }

  async end(at: PlaceRef): Promise<void> {
    const found = await this.#container(sessionOf(at));
    await this.leave(at);
    if (found === null) return;
    const refusal = await this.#engine.stop(found.Id, STOP_SECONDS);
    if (refusal !== null && refusal.kind !== "gone")
      throw notUsable(`The container cannot be stopped: ${refusal.message}`);
  }

  async remove(at: PlaceRef): Promise<void> {
    const session = sessionOf(at);
    const found = await this.#container(session);
    await this.leave(at);
    const refusal = found && (await this.#engine.remove(found.Id));
    if (refusal !== null && refusal.kind !== "gone")
      throw notUsable(`The container cannot be removed: ${refusal.message}`);
    const { root } = placeDirectories(this.#home, session);
    await rm(root, { recursive: true, force: true });
  }

  async list(): Promise<FoundContainer[]> {
    const { owner } = this.#settings;
    const all = await this.#engine.list([
      `${LABELS.managed}=true`,
      `${LABELS.home}=${owner}`,
    ]);
    return all.map(({ Id, State, Labels }) => ({
      place: { kind: KIND_DOCKER, id: Labels?.[LABELS.session] ?? "" },
      container: Id,
      state: State,
    }));
  }

  #container(session: SessionId) {
    const { owner } = this.#settings;
    const directories = placeDirectories(this.#home, session);
    return findContainer(this.#engine, { session, owner, directories });
  }

  #shared(session: SessionId): SharedPlace {
    if (this.#isClosed) throw unavailable("The server is closing");
    const before = this.#places.get(session);
    if (before !== undefined) return before;
    const shared = new SharedPlace(async (how) => {
      try {
        return await reachPlace(
          {
            settings: this.#settings,
            home: this.#home,
            config: this.#config,
            engine: this.#engine,
            install: () => this.#install(),
          },
          session,
          how,
        );
      } catch (error) {
        throw classified(error, session);
      }
    });
    this.#places.set(session, shared);
    return shared;
  }

  #install(): Promise<Programs> {
    const { version } = this.#settings;
    const directory = programsDirectory(this.#home);
    const programs = (this.#programs ??= installPrograms(directory, version));
    programs.catch(() => {
      if (this.#programs === programs) this.#programs = null;
    });
    return programs;
  }
}

const whyNoSocket = (security: readonly string[]): string | null =>
  security.some((each) => each.startsWith("name=userns"))
    ? "it maps users, so what a container writes would be of another user"
    : null;

const sessionOf = (at: PlaceRef): SessionId => {
  const session = SessionId.safeParse(at.id);
  if (at.kind === KIND_DOCKER && session.success) return session.data;
  throw new RepriseError(
    "not_supported",
    `There is no executor ${placeKey(at)} here`,
  );
};

const classified = (error: unknown, session: SessionId): Error => {
  const isKnown =
    error instanceof RepriseError ||
    error instanceof LinkError ||
    error instanceof NobodyThere;
  if (isKnown) return error;
  const because = error instanceof Error ? error.message : String(error);
  return notUsable(
    `The container of ${session} cannot be prepared: ${because}`,
    error,
  );
};
