/** What a thrown value says. Erasable TypeScript: workers load it too. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
