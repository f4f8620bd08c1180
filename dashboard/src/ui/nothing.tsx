/** The text of an empty cell; at phone width a table leaves the cell out. */
export function Nothing() {
  return <span data-nothing>–</span>;
}
