import { styleText } from "node:util";

type Colour = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";
export type Palette = Readonly<Record<Colour, (text: string) => string>>;

/** Colours, or the text as it is. */
export const palette = (colours: boolean): Palette => {
  const paint = (colour: Colour) => (text: string) =>
    colours && text !== ""
      ? styleText(colour, text, { validateStream: false })
      : text;
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
  };
};
