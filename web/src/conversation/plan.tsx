import type { Plan as AgentPlan } from "../store/open-session.ts";
import { Icon } from "../kit/icon.tsx";
import { Fold } from "./fold.tsx";
import { planStanding } from "./plan-standing.ts";
import style from "./plan.module.css";

/** What the agent means to do: where it is, and a bar per step. */
export const Plan = ({ plan }: { plan: AgentPlan }) => {
  const { done, total, current } = planStanding(plan.entries);
  return (
    <div className={style.plan}>
      <Fold
        id="plan"
        line={
          <>
            <Icon name="tasks" size={14} />
            <span className={style.text}>
              <b>
                {done} of {total}
              </b>{" "}
              {current}
            </span>
          </>
        }
        aside={
          <span className={style.bars} aria-hidden="true">
            {plan.entries.slice(0, 12).map(({ status }, at) => (
              <i key={at} data-status={status} />
            ))}
          </span>
        }
      >
        {() => (
          <ol className={style.steps}>
            {plan.entries.map(({ text, status }, at) => (
              <li key={at} data-status={status}>
                <i aria-hidden="true" />
                {text}
              </li>
            ))}
          </ol>
        )}
      </Fold>
    </div>
  );
};
