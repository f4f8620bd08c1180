/** The text of an empty cell; a narrow table leaves the cell out. */
export function Nothing() {
  return <span data-nothing>–</span>;
}
