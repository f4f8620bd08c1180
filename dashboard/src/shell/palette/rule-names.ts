import { queryOptions } from '@tanstack/react-query';
import { RULES_KEY, rulesQuery } from '../../pages/rules/queries.ts';

/** The rules in force, without levels and actions. The YAML parser is loaded with the first answer: other entries need not wait. */
export const ruleNamesQuery = queryOptions({
  queryKey: [...RULES_KEY, 'names'],
  queryFn: async ({ client }) => {
    const [{ in_force }, { namesIn }] = await Promise.all([
      client.fetchQuery(rulesQuery),
      import('../../pages/rules/language/names.ts'),
    ]);
    return namesIn(in_force.files).rules.filter(({ mode }) => mode !== null);
  },
  // `rulesQuery` says how old the files may be.
  staleTime: 0,
});
