import { useDeferredValue, useEffect, useState } from "react";
import { EmptyState } from "../../kit/empty-state.tsx";
import { LoadingState } from "../../kit/loading-state.tsx";
import { counted } from "../../words/counts.ts";
import { useLoaded } from "../../kit/use-loaded.ts";
import type { WorkspaceClient } from "../workspace-client.ts";
import { FoundFiles } from "./found-files.tsx";
import { SearchFields } from "./search-fields.tsx";
import {
  byFile,
  EMPTY_FORM,
  type SearchForm,
  searchOptions,
} from "./search-groups.ts";
import style from "./search.module.css";

/** Between two keys of who types quickly. */
const REST_MS = 250;

/** Finds lines in the files of the workspace. */
export const SearchView = ({
  session,
  since,
  client,
}: {
  session: string;
  since: number | null;
  client: Pick<WorkspaceClient, "searchFiles">;
}) => {
  const [form, setForm] = useState(EMPTY_FORM);
  const asked = useRested(form);
  const options = searchOptions(asked);
  const found = useLoaded(
    options === null ? null : JSON.stringify(options),
    (signal) => {
      const { q, ...rest } = options ?? { q: "" };
      return client.searchFiles(session, q, { ...rest, signal });
    },
  );
  const result = useDeferredValue(found.value);
  return (
    <>
      <SearchFields form={form} onChange={setForm} />
      <div className={style.results}>
        <p className={style.sum} role="status">
          {found.refusal ??
            (result === null
              ? ""
              : `${counted(result.matches.length, "line")} in ${counted(byFile(result.matches).length, "file")}${result.stopped === null ? "" : ". There may be more."}`)}
        </p>
        {result === null ? (
          found.isLoading && <LoadingState label="Searching" />
        ) : result.matches.length === 0 ? (
          <EmptyState title="Nothing found">
            Hidden files and what git ignores are left out unless you look
            everywhere.
          </EmptyState>
        ) : (
          <FoundFiles
            session={session}
            since={since}
            files={byFile(result.matches)}
          />
        )}
      </div>
    </>
  );
};

/** What was typed, once nothing was typed for a moment. */
const useRested = (form: SearchForm): SearchForm => {
  const [rested, setRested] = useState(form);
  useEffect(() => {
    const timer = setTimeout(() => setRested(form), REST_MS);
    return () => clearTimeout(timer);
  }, [form]);
  return rested;
};
