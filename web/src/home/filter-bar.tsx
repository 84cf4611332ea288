import type { Session } from "../../../src/contract/session/session.ts";
import { SearchField } from "../frame/search-field.tsx";
import { agentName } from "../words/agent-name.ts";
import type { Filters, StateFilter } from "./sections.ts";
import style from "./filter-bar.module.css";

const states: readonly [StateFilter, string][] = [
  ["all", "Any state"],
  ["needs_you", "Needs you"],
  ["working", "Working"],
  ["resting", "Resting"],
  ["ended", "Ended"],
];

/** Search and filters. */
export const FilterBar = ({
  sessions,
  filters,
  onChange,
}: {
  sessions: readonly Session[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}) => {
  const agents = [...new Set(sessions.map(({ agent }) => agent))].sort();
  return (
    <div className={style.bar}>
      <SearchField
        label="Search sessions"
        query={filters.query}
        onChange={(query) => onChange({ ...filters, query })}
      />
      <select
        className={style.select}
        aria-label="Agent"
        value={filters.agent ?? ""}
        onChange={({ target }) =>
          onChange({
            ...filters,
            agent: target.value === "" ? null : target.value,
          })
        }
      >
        <option value="">Any agent</option>
        {agents.map((agent) => (
          <option key={agent} value={agent}>
            {agentName(agent)}
          </option>
        ))}
      </select>
      <select
        className={style.select}
        aria-label="State"
        value={filters.state}
        onChange={({ target }) => {
          const state = states.find(([value]) => value === target.value)?.[0];
          if (state !== undefined) onChange({ ...filters, state });
        }}
      >
        {states.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
};
