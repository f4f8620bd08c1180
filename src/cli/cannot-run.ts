/** The command was understood and cannot be carried out. The message is for the person; exit code 2. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
