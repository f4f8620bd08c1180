/** What the system or a library calls the error, such as `ENOENT`; undefined for what has no such code. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
