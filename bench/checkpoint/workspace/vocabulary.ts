/** The words of a package: what its authors name things, drawn from what everybody names things. */
import type { Chance } from "./chance.ts";

const STEMS =
  "node list tree value key item path file name type option config state event handler source target index map set get create update remove resolve parse format render select filter merge apply bind call context scope module export import token range start end line column offset buffer stream chunk reader writer cache store entry record field schema rule match pattern query request response header body error warning message code level depth parent child root leaf next previous first last size length count limit total min max width height color style class theme layout grid row cell table view panel menu button input form label icon image asset bundle plugin loader hook callback promise async sync lock queue task worker thread process signal timer delay retry batch group sort order compare equal hash digest encode decode escape quote trim split join wrap unwrap expand collapse open close enter leave visit walk traverse transform convert normalize validate assert check test mock spy expect describe suite fixture snapshot diff patch apply commit branch merge rebase tag release version semver range peer depend install link publish package manifest license author locale zone date time clock duration interval frame animation easing vector matrix point shape path stroke fill gradient shadow filter blur alpha channel mask clip bound box edge corner angle radius scale rotate translate skew project camera light mesh material texture shader program uniform attribute varying".split(
    " ",
  );

export interface Vocabulary {
  /** Names that this package uses, the usual ones first. */
  names: readonly string[];
  /** What it says to people. */
  sentences: readonly string[];
}

export const vocabularyOf = (chance: Chance, size: number): Vocabulary => ({
  names: Array.from({ length: size }, () => nameOf(chance)),
  sentences: Array.from({ length: size }, () => sentenceOf(chance)),
});

const stem = (chance: Chance): string =>
  STEMS[chance.below(STEMS.length)] ?? "";

const nameOf = (chance: Chance): string => {
  const words = [
    stem(chance),
    ...Array.from({ length: chance.below(3) }, () => capital(stem(chance))),
  ];
  return words.join("");
};

const sentenceOf = (chance: Chance): string => {
  const words = Array.from({ length: 4 + chance.below(9) }, (_, i) =>
    i % 2 === 0 ? stem(chance) : (SMALL[chance.below(SMALL.length)] ?? ""),
  );
  return capital(words.join(" "));
};

const SMALL =
  "the a of to in is and for with by that when each from are not this must be an".split(
    " ",
  );

export const capital = (word: string): string =>
  word.charAt(0).toUpperCase() + word.slice(1);
