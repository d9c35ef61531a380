// How pictures share the page.

// Width by height, about.
const ratio = 4 / 3;
// Narrower ones stand below each other; none is lower.
const leastWidth = 224;
const leastHeight = 160;
// Of the low layer.
const lowHeight = 180;

// The columns and the height that make `count` tiles largest in a place of this size.
export function arrange(count, { width, height, gap }) {
  const widthOf = (columns) => (width - (columns - 1) * gap) / columns;
  const heightOf = (columns) => {
    const rows = Math.ceil(count / columns);
    return (height - (rows - 1) * gap) / rows;
  };
  if (widthOf(2) < leastWidth) return { columns: 1, height: Math.max(leastHeight, Math.min(width / ratio, height)) };
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count && widthOf(columns) >= leastWidth; columns += 1) {
    const size = Math.min(widthOf(columns) / ratio, heightOf(columns));
    if (size > best.size) best = { columns, size };
  }
  return { columns: best.columns, height: Math.max(leastHeight, heightOf(best.columns)) };
}

// The layer that fills this height.
export const layerAt = (height) => (height <= lowHeight ? "low" : "high");
