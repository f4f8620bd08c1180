/** What the system or a library calls the error, such as `ENOENT`; undefined for what has no such code. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** What a thrown value says. Erasable TypeScript: workers load it too. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is read of a file, or `instead` where there is no such file. */
export async function orIfAbsent<Found, Instead>(
  reading: Promise<Found>,
  instead: Instead,
): Promise<Found | Instead> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return instead;
    throw error;
  }
}
