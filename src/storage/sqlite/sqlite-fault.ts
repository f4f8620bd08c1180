/** Primary result codes, the low octet of the extended ones: sqlite.org/rescode.html. */
export const SQLITE = { BUSY: 5, LOCKED: 6, FULL: 13, TOOBIG: 18, CONSTRAINT: 19 } as const;

/** The primary result code of an error that SQLite reported; undefined for any other error. */
function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** Whether the database is only held by another connection at the moment. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.BUSY || code === SQLITE.LOCKED;
}

/** Whether the one row is at fault and its neighbours can still be written. */
export function isRowFault(error: unknown): boolean {
  const code = sqliteCode(error);
  // A TypeError is node:sqlite's word for a value that it cannot bind.
  return code === SQLITE.CONSTRAINT || code === SQLITE.TOOBIG || error instanceof TypeError;
}
