// Texts and names of people, as they may be shown.

const textLimit = 4_000;
const nameLimit = 255;

const byteCount = (text) => new TextEncoder().encode(text).length;

// Without what moves a cursor or turns what is around it; null: it is no text, or too long.
export function cleanText(text) {
  if (typeof text !== "string" || byteCount(text) > textLimit) return null;
  return text.replace(/\r\n?/g, "\n").replace(/(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]/gu, "").trim() || null;
}

export function cleanName(name) {
  let text = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "").trim();
  while (byteCount(text) > nameLimit) text = text.slice(0, -1);
  return text;
}

// A name for within a sentence: whichever way it is written, what is around it stays in its place.
export const isolated = (name) => `\u2068${name}\u2069`;
