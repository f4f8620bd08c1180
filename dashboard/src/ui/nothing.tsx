/** Stands in a cell for what is not there; at phone width a table leaves the cell out. */
export function Nothing() {
  return <span data-nothing>–</span>;
}
