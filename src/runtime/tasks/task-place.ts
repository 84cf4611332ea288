/** Where the sessions of a task run (TSK-90, TSK-91). */
import type { ProfileId } from "../../contract/agent/profile-view.ts";
import type { Profile } from "../../contract/api/profile.ts";
import type { CreateSessionRequest } from "../../contract/api/request.ts";
import {
  isOtherHost,
  KIND_DOCKER,
  type PlaceRef,
} from "../../contract/base/place.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { chosenWhere } from "../callers/chosen-profile.ts";
import { chosenPlace, requireFit } from "../operations/chosen-place.ts";
import { checkSandboxedPlace } from "../places/sandbox.ts";
import type { TaskDeps } from "./task-deps.ts";

interface Wish extends Pick<
  CreateSessionRequest,
  "executor" | "host" | "image" | "cwd" | "worktree"
> {
  agent_profile_id?: ProfileId | undefined;
}

/** Refuses what none of its sessions could be made with, before anything is made. */
export const requireTaskPlace = (deps: TaskDeps, wish: Wish): void => {
  const { at, image } = placeOf(deps, wish);
  requireFit(at, { image, worktree: wish.worktree });
  checkSandboxedPlace(at, { ...profileOf(deps, wish), ...wish });
  if (at.kind === KIND_DOCKER && wish.cwd === undefined)
    throw new RepriseError(
      "invalid_request",
      "A task in containers needs a directory: each of its sessions has a container of its own, and they share nothing else. Give the directory as cwd.",
    );
};

/** On which machine its next session works, and so where paths are the same. */
export const machineOf = ({ kind, id }: PlaceRef): string | null =>
  isOtherHost({ kind }) ? id : null;

/** The place of a session that is made now. A container is named by the session that it is made for. */
export const placeOf = (
  deps: Pick<TaskDeps, "hosts" | "ids" | "profiles">,
  wish: Wish,
): { at: PlaceRef; image: string | undefined } => {
  const where = chosenWhere(wish, profileOf(deps, wish));
  const at = chosenPlace(deps, where, deps.ids.session());
  return { at, image: where.image };
};

/** What the profile says that it names, where that is one of `config.json`. */
const profileOf = (
  { profiles }: Pick<TaskDeps, "profiles">,
  { agent_profile_id: profile }: Wish,
): Partial<Profile> => (profile === undefined ? {} : (profiles[profile] ?? {}));
