/** One place, reached: its directories, its container, its agentctl, and the connection to that. */
import { stat } from "node:fs/promises";
import type { SessionId } from "../../contract/base/id.ts";
import { KIND_DOCKER } from "../../contract/base/place.ts";
import type { DockerConfig } from "../../contract/link/executor-settings.ts";
import { DEFAULT_LOG_LIMITS } from "../../kit/files/log-file.ts";
import { DataLink } from "../link/data-link.ts";
import { placeOver } from "../link/place.ts";
import {
  NobodyThere,
  type Reached,
  type Reaching,
} from "../link/shared-place.ts";
import type { Wish } from "./container-spec.ts";
import { dialSocket } from "./dial.ts";
import { placeDirectories, programsDirectory, SOCKET } from "./directories.ts";
import type { Engine } from "./engine/engine.ts";
import { notUsable } from "./not-usable.ts";
import {
  chooseProgram,
  loadToken,
  prepareFiles,
  readMade,
  readRecord,
} from "./place-files.ts";
import type { Programs } from "../standalone/programs.ts";
import { reachInContainer } from "./reach.ts";
import type { DockerSettings } from "./settings.ts";
import { supervisorText } from "./supervisor.ts";

export interface Parts {
  settings: DockerSettings;
  /** An absolute path. */
  home: string;
  config: DockerConfig;
  engine: Engine;
  install: () => Promise<Programs>;
}

const READY_MS = 60_000;
const SILENCE_MS = 10_000;

export const reachPlace = async (
  parts: Parts,
  session: SessionId,
  how: Reaching,
): Promise<Reached> => {
  const { settings, engine, install } = parts;
  const { checkHome, log, version, owner } = settings;
  const { readyMs = READY_MS, silenceMs = SILENCE_MS } = settings;
  checkHome?.();
  const wish = await wishFor(parts, session);
  if (wish === null) {
    if (!how.isNeeded()) throw new NobodyThere();
    throw notUsable(
      "Nothing of this session's container is in the home: it was removed, or never prepared",
    );
  }
  const { directories } = wish;
  await prepareFiles(directories, wish);
  const token = await loadToken(directories);
  const link = await reachInContainer(
    {
      engine,
      wish,
      install: async () => (await install()).build,
      choose: () => choose(parts, wish),
      introduction: {
        token,
        owner,
        term: how.term,
        build: version,
        log,
        deadlineMs: readyMs,
        silenceMs,
      },
      readyMs,
      log,
    },
    how,
  );
  const path = `${directories.link}/${SOCKET}`;
  const { pid, build } = link.hello;
  log.info(
    { pid, build, session, term: how.term },
    "connected to agentctl in a container",
  );
  void link.closed.then(() => {
    if (!how.signal.aborted)
      log.warn(
        { pid, build, session },
        "the link to a container is lost; it is reached again when it is needed",
      );
  });
  const data = new DataLink({
    link,
    dial: async () => {
      const stream = await dialSocket(path);
      return stream && { stream, token };
    },
    silenceMs,
  });
  return {
    place: placeOver(link, data, {
      runtime: KIND_DOCKER,
      url: `unix:${path}`,
      port: null,
      containerId: (await readMade(directories))?.container ?? null,
    }),
    isOpen: () => link.isOpen(),
    close: () => link.close(),
  };
};

/** Null when nobody prepared the place. */
const wishFor = async (
  { home, settings, config }: Parts,
  session: SessionId,
): Promise<Wish | null> => {
  const directories = placeDirectories(home, session);
  const record = await readRecord(directories);
  return (
    record && {
      ...record,
      session,
      owner: settings.owner,
      user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      directories,
      programs: programsDirectory(home),
      settings: config,
    }
  );
};

const choose = async (
  { settings, install }: Parts,
  { directories, cwd }: Wish,
): Promise<void> => {
  if (cwd !== null)
    await stat(cwd).catch((error: unknown) => {
      throw notUsable(
        `${cwd}, in which the session works, is not there: bring it back, then try again`,
        error,
      );
    });
  const { maxBytes, files } = settings.logLimits ?? DEFAULT_LOG_LIMITS;
  const text = supervisorText({ mb: maxBytes / 1024 ** 2, files });
  await chooseProgram(directories, await install(), text);
};
