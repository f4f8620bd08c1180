/** What the first record of a CSV file is. */
export interface Header {
  /** Each once, so that they can be members of an object. */
  readonly names: readonly string[];
  /** `--columns` in those names. */
  readonly wanted: readonly string[];
  /** False when the first record is a row already. */
  readonly isThere: boolean;
}

/**
 * A file has no header when exactly one cell of its first record has an @, or when columns are wanted by number.
 * Its columns are then called `column_1` and so on.
 */
export function readHeader(cells: readonly string[], wanted: readonly string[]): Header {
  const names = unique(cells.map((cell, index) => cell.trim() || `column_${index + 1}`));
  const isByNumber =
    wanted.length > 0 && wanted.every((name) => /^\d{1,4}$/.test(name) && !names.includes(name));
  const address = wanted.length === 0 ? cells.findIndex((cell) => cell.includes('@')) : -1;
  if (!isByNumber && (address === -1 || cells.findLastIndex((cell) => cell.includes('@')) !== address)) {
    return { names, wanted, isThere: true };
  }
  return {
    names: cells.map((_, index) => `column_${index + 1}`),
    wanted: (isByNumber ? wanted : [String(address + 1)]).map((number) => `column_${Number(number)}`),
    isThere: false,
  };
}

/** A name that stands twice gets `_2` the second time. */
function unique(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let time = 2; taken.has(free); time++) free = `${name}_${time}`;
    taken.add(free);
    return free;
  });
}
