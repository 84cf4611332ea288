import { Link } from "wouter";
import { sessionPath } from "../routes.ts";
import { bytes, counted } from "../words/counts.ts";
import type { Space } from "./space.ts";
import style from "./settings.module.css";

export const SpaceTable = ({ space }: { space: Space }) => (
  <>
    <table className={style.table}>
      <tbody>
        <tr className={style.total}>
          <th scope="row">Checkpoints in all</th>
          <td>{bytes(space.totalBytes)}</td>
        </tr>
        <tr>
          <th scope="row">{counted(space.sessions, "session")}</th>
          <td>{bytes(space.sessionsBytes)}</td>
        </tr>
        <tr>
          <th scope="row">{counted(space.inTrash, "session")} in the trash</th>
          <td>{bytes(space.trashBytes)}</td>
        </tr>
        {space.places.map(({ name, bytes: size }) => (
          <tr key={name}>
            <th scope="row">At {name}</th>
            <td>{bytes(size)}</td>
          </tr>
        ))}
        {space.largest.map(({ id, name, bytes: size, isInTrash }) => (
          <tr key={id} className={style.part}>
            <th scope="row">
              <Link href={sessionPath(id)}>{name}</Link>
              {isInTrash && ", in the trash"}
            </th>
            <td>{bytes(size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {space.problems.map(({ place, detail }) => (
      <p key={place} className={style.bad} role="alert">
        {place}: {detail}
      </p>
    ))}
    <p>
      Sessions share what is the same in them, so they may add up to more than
      the total.
    </p>
  </>
);
