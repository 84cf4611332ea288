import { useRef } from "react";
import type { Session } from "../../../src/contract/session/session.ts";
import { Icon } from "../kit/icon.tsx";
import { Kbd } from "../kit/kbd.tsx";
import { useCommands } from "../overlay/use-commands.ts";
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

/** Search and filters. `/` goes to the search. */
export const FilterBar = ({
  sessions,
  filters,
  onChange,
}: {
  sessions: readonly Session[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useCommands({ search: () => input.current?.focus() });
  const agents = [...new Set(sessions.map(({ agent }) => agent))].sort();
  return (
    <search className={style.bar}>
      <label className={style.field}>
        <Icon name="search" size={14} />
        <input
          ref={input}
          type="search"
          placeholder="Search sessions"
          aria-label="Search sessions"
          value={filters.query}
          onChange={({ target }) =>
            onChange({ ...filters, query: target.value })
          }
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            onChange({ ...filters, query: "" });
            event.currentTarget.blur();
          }}
        />
        <Kbd>/</Kbd>
      </label>
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
    </search>
  );
};
