/** A file of rows that cannot be made sense of as a whole. The message names it and says what to do. */
export class RowFileFault extends Error {
  override readonly name = 'RowFileFault';
}
