import { useLocation } from "wouter";
import { changesPath } from "../../routes.ts";
import { ButtonLink } from "../../kit/button.tsx";
import { counted } from "../../words/counts.ts";
import type { Mark } from "../../line/mark.ts";
import { workspaceAddress } from "../address.ts";
import { sinceChoices, sinceName } from "./since-choices.ts";
import type { ChangesSince } from "./use-changes.ts";
import style from "./since-bar.module.css";

/** Since when changes are marked. A knot of the line chooses the same. */
export const SinceBar = ({
  session,
  path,
  line,
  first,
  changes,
}: {
  session: string;
  path: string;
  line: readonly Mark[];
  /** The turn that the session began with. */
  first: number;
  changes: ChangesSince;
}) => {
  const [, navigate] = useLocation();
  const { since, marks, refusal } = changes;
  const choices = sinceChoices(line);
  const isKnown = choices.some((choice) => choice.since === since);
  const count = marks.files.size;
  return (
    <div className={style.bar}>
      <label className={style.choice}>
        <span>Changed since</span>
        <select
          value={since ?? ""}
          onChange={({ target }) =>
            navigate(
              workspaceAddress(session, path, {
                since: target.value === "" ? null : Number(target.value),
              }),
            )
          }
        >
          {!isKnown && <option value={since ?? ""}>{sinceName(since)}</option>}
          {choices.map((choice) => (
            <option key={choice.since ?? ""} value={choice.since ?? ""}>
              {choice.name}
            </option>
          ))}
        </select>
      </label>
      {refusal !== null ? (
        <p className={style.refusal} role="status">
          {refusal}
        </p>
      ) : (
        count > 0 && (
          <ButtonLink
            size="small"
            kind="plain"
            href={`${changesPath(session, { from: since ?? first })}&to=now`}
          >
            {counted(count, "file")}
          </ButtonLink>
        )
      )}
    </div>
  );
};
