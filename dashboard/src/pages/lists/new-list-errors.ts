import { ApiError } from '../../api/api-error.ts';
import { errorsByField, type FieldErrors } from '../../ui/field-errors.ts';

export type NewListField = 'name' | 'description' | 'owner' | 'entries';

const WORDS = 'Write a few words, without signs that turn the direction of the text';

/** What is wrong with which field of a new list, in plain words. Null where an error is of another kind. */
export function newListErrors(error: unknown): FieldErrors<NewListField> | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') return null;
  return errorsByField(error, ({ path, meant }, message) => {
    const [, field, line] =
      /^body\/list\/(name|description|owner|entries)(?:\/(\d+))?$/.exec(String(path)) ?? [];
    return [field as NewListField | undefined, wordsOf(field, message, line, meant)];
  });
}

function wordsOf(
  field: string | undefined,
  message: string,
  line: string | undefined,
  meant: unknown,
): string {
  if (field === 'name')
    return message.startsWith('there is') ? 'There is a list of this name' : 'Write a-z, 0-9 and _';
  if (field !== 'entries') return WORDS;
  if (line === undefined)
    return 'Begin with 1,000 at most: a longer list is a file that is made on the page “Rules”';
  const entry = `Entry ${Number(line) + 1}: write example.org or .example.org; addresses stand in allow and deny`;
  return typeof meant === 'string' ? `${entry}. Did you mean ${meant}?` : entry;
}
