import { queryOptions } from '@tanstack/react-query';
import { RULES_KEY, rulesQuery } from '../../pages/rules/queries.ts';

/** The rules in force, without levels and actions. What reads YAML is loaded with the first answer: other entries need not wait. */
export const ruleNamesQuery = queryOptions({
  queryKey: [...RULES_KEY, 'names'],
  queryFn: async ({ client }) => {
    const [{ in_force }, { namesIn }] = await Promise.all([
      client.fetchQuery(rulesQuery),
      import('../../pages/rules/language/names.ts'),
    ]);
    return namesIn(in_force.files).rules.filter(({ mode }) => mode !== null);
  },
  // How old the files may be is said of their own query.
  staleTime: 0,
});
