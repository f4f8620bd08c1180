import { ApiError } from '../../api/api-error.ts';

export type NewListField = 'name' | 'description' | 'owner' | 'entries';

const WORDS = 'Write a few words, without signs that turn the direction of the text';

/** What is wrong with which field of a new list, in plain words. Null where an error is of another kind. */
export function newListErrors(error: unknown): Partial<Record<NewListField, string>> | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return null;
  const found: Partial<Record<NewListField, string>> = {};
  for (const { path, message, meant } of error.details) {
    const [, field, line] =
      /^body\/list\/(name|description|owner|entries)(?:\/(\d+))?$/.exec(String(path)) ?? [];
    if (field === undefined || typeof message !== 'string') return null;
    // Only the first wrong entry is shown.
    found[field as NewListField] ??= wordsOf(field, message, line, meant);
  }
  return Object.keys(found).length === 0 ? null : found;
}

function wordsOf(field: string, message: string, line: string | undefined, meant: unknown): string {
  if (field === 'name')
    return message.startsWith('there is') ? 'There is a list of this name' : 'Write a-z, 0-9 and _';
  if (field !== 'entries') return WORDS;
  if (line === undefined)
    return 'Begin with 1,000 at most: a longer list is a file that is made on the page “Rules”';
  const entry = `Entry ${Number(line) + 1}: write example.org or .example.org; addresses stand in allow and deny`;
  return typeof meant === 'string' ? `${entry}. Did you mean ${meant}?` : entry;
}
